import FoundationEssentials

/// A payment as reported by PortOne (Anlaka contract 6.1, Payment fields).
struct PaymentReport: Sendable, Equatable {
    /// A partly cancelled payment stays `paid`.
    enum Status: String, Codable, Sendable {
        case ready, paid, cancelled, failed
    }

    var impUID: ImpUID
    /// The order's code, as passed to the payment window.
    var merchantUID: String
    var status: Status
    var money: Money
    /// In the unit of `money`.
    var cancelledAmount: Int64
    /// Paid in PortOne's test mode, without money.
    var isTest: Bool
    var paidAt: Date?
    var receipt: Receipt

    /// The amount paid, including what was refunded later.
    var paid: Int64 { status == .paid || paidAt != nil ? money.amount : 0 }

    /// The amount refunded.
    var cancelled: Int64 { status == .cancelled ? paid : min(cancelledAmount, paid) }

    /// The amount that PortOne still holds of a payment that was made.
    var held: Money { Money(amount: money.amount - cancelled, currency: money.currency) }
}

/// The additional fields of a receipt, under PortOne's names (Anlaka contract 1.7, Payment receipt). Fields without a
/// value are absent.
struct Receipt: Codable, Sendable, Equatable {
    var texts: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    var flags: [String: Bool] = [:]
    /// Seconds since 1970.
    var startedAt: Int64?

    static let textKeys = [
        "pay_method", "channel", "pg_provider", "emb_pg_provider", "pg_tid", "pg_id", "apply_num", "bank_code",
        "bank_name", "card_code", "card_name", "card_issuer_code", "card_issuer_name", "card_publisher_code",
        "card_publisher_name", "card_number", "vbank_code", "vbank_name", "vbank_num", "vbank_holder", "name",
        "buyer_name", "buyer_email", "buyer_tel", "buyer_addr", "buyer_postcode", "custom_data", "user_agent",
        "receipt_url", "fail_reason", "cancel_reason",
    ]
    static let numberKeys = ["card_quota", "card_type", "vbank_date", "vbank_issued_at"]
    static let flagKeys = ["escrow"]
}
