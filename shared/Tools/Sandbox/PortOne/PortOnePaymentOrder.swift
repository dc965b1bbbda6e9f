import Apps

/// A payment created by a control.
struct PortOnePaymentOrder: Sendable, Decodable {
    var merchantUid: String
    /// In the currency's unit.
    var amount: Double
    /// `paid` by default.
    var status: String?
    /// `KRW` by default.
    var currency: String?
    var sandbox: Bool?
    /// Unix seconds; the current time by default.
    var paidAt: Int?
    var name: String?
    var buyerName: String?

    enum CodingKeys: String, CodingKey {
        case amount, status, currency, sandbox, name
        case merchantUid = "merchant_uid"
        case paidAt = "paid_at"
        case buyerName = "buyer_name"
    }

    /// Creates the payment.
    ///
    /// - Throws: `Problem` that names the field.
    func create(in payments: PortOnePayments) throws(Problem) -> PortOnePayment {
        guard !merchantUid.isEmpty, merchantUid.unicodeScalars.count <= 40 else {
            throw Problem(.invalid, message: "merchant_uid must have 1 to 40 characters.")
        }
        let currency = try PortOneControlValues.currency(currency) ?? "KRW"
        if let paidAt, !(1...PortOneTime.now).contains(paidAt) {
            throw Problem(.invalid, message: "paid_at must be in Unix seconds, and not in the future.")
        }
        let amount = try PortOneControlValues.amount(amount, "amount", currency)
        let status = try PortOneControlValues.status(status) ?? .paid
        let time = paidAt ?? PortOneTime.now
        var payment = PortOnePayment(merchantUid: merchantUid, amount: amount, startedAt: time)
        payment.currency = currency
        payment.sandbox = sandbox ?? false
        payment.name = name
        payment.buyerName = buyerName
        return payments.add(payment) { $0.move(to: status, at: time) }
    }
}

/// Validation of the controls' values.
enum PortOneControlValues {
    static func status(_ text: String?) throws(Problem) -> PortOnePayment.Status? {
        guard let text else { return nil }
        guard let status = PortOnePayment.Status(rawValue: text) else {
            throw Problem(.invalid, message: "status must be ready, paid, cancelled or failed.")
        }
        return status
    }

    static func currency(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
            throw Problem(.invalid, message: "currency must be a code of three capital letters, like KRW.")
        }
        return text
    }

    static func amount(_ number: Double, _ name: String, _ currency: String) throws(Problem) -> PortOneAmount {
        guard let amount = PortOneAmount(number), amount > .zero, amount.fits(currency) else {
            throw Problem(.invalid, message: "\(name) must be above 0, and a sum that \(currency) has.")
        }
        return amount
    }
}
