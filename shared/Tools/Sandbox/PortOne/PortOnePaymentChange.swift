import Apps

/// A change of a payment by a control.
struct PortOnePaymentChange: Sendable, Decodable {
    var status: String?
    /// The sum to refund, in the currency's unit.
    var cancelAmount: Double?
    var amount: Double?
    var currency: String?

    enum CodingKeys: String, CodingKey {
        case status, amount, currency
        case cancelAmount = "cancel_amount"
    }

    private static let reason = "관리자 콘솔에서 취소"

    /// - Throws: `Problem` that names the field.
    @Sendable func apply(to payment: inout PortOnePayment) throws {
        let now = PortOneTime.now
        payment.currency = try PortOneControlValues.currency(currency) ?? payment.currency
        if let amount { payment.amount = try PortOneControlValues.amount(amount, "amount", payment.currency) }
        guard payment.amount.fits(payment.currency) else {
            throw Problem(.invalid, message: "currency must have the amount, which is \(payment.amount).")
        }
        guard payment.cancelAmount <= payment.amount else {
            throw Problem(.invalid, message: "amount must not be less than what has been cancelled.")
        }
        let status = try PortOneControlValues.status(status)
        if let status, status != .cancelled || cancelAmount == nil { payment.move(to: status, at: now) }
        guard let cancelAmount else { return }
        let sum = try PortOneControlValues.amount(cancelAmount, "cancel_amount", payment.currency)
        do {
            try payment.cancel(sum, reason: Self.reason, at: now)
        } catch {
            throw Problem(.invalid, message: "cancel_amount: \(error.message)")
        }
        guard status != .cancelled || payment.status == .cancelled else {
            throw Problem(.invalid, message: "cancel_amount must be the whole rest where status is cancelled.")
        }
    }
}

extension PortOnePayment {
    /// Moves the payment to a state through the intermediate states.
    mutating func move(to status: Status, at now: Int) {
        guard status != self.status else { return }
        if self.status == .cancelled { removeCancellations() }
        switch status {
        case .ready: reopen()
        case .failed: fail("카드사 승인이 거절되었습니다.", at: now)
        case .paid: confirm(at: now)
        case .cancelled:
            if self.status != .paid { confirm(at: now) }
            try? cancel(nil, reason: "관리자 콘솔에서 취소", at: now)
        }
    }
}
