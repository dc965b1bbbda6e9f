import Apps
import FoundationEssentials

/// A receipt (contract 1.7, Payment receipt). Fields without a value are absent; `fail_reason` is not in the app's
/// contract.
struct ReceiptBody: Encodable {
    private let payment: Payment

    init(_ payment: Payment) {
        self.payment = payment
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let receipt = payment.receipt
        for (name, text) in receipt.texts { try container.encode(text, forKey: Key(name)) }
        for (name, number) in receipt.numbers { try container.encode(number, forKey: Key(name)) }
        for (name, flag) in receipt.flags { try container.encode(flag, forKey: Key(name)) }
        try container.encode(payment.impUID.rawValue, forKey: Key("imp_uid"))
        try container.encode(payment.merchantUID, forKey: Key("merchant_uid"))
        try container.encode(payment.money.amount, forKey: Key("amount"))
        try container.encode(payment.balance.cancelled, forKey: Key("cancel_amount"))
        try container.encode(payment.money.currency, forKey: Key("currency"))
        try container.encode(payment.status.rawValue, forKey: Key("status"))
        try container.encodeIfPresent(receipt.startedAt.map(Self.instant), forKey: Key("startedAt"))
        try container.encodeIfPresent(payment.paidAt.map(SeSACInstant.init), forKey: Key("paidAt"))
        try container.encode(SeSACInstant(payment.createdAt), forKey: Key("createdAt"))
        try container.encode(SeSACInstant(payment.decidedAt ?? payment.createdAt), forKey: Key("updatedAt"))
    }

    private static func instant(_ seconds: Int64) -> SeSACInstant {
        SeSACInstant(Date(timeIntervalSince1970: Double(seconds)))
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
