import FoundationEssentials

/// What PortOne's webhook says (Anlaka contract 6.1, Webhook). Anybody may say so: it is only a reason to ask.
struct Notice: Sendable, Equatable {
    var impUID: String
    var merchantUID: String
    var status: String
    /// Empty for what is no cancellation.
    var cancellation: String

    /// - Throws: `PaymentsError.rule` for what cannot be one.
    init(impUID: String, merchantUID: String, status: String, cancellation: String?) throws(PaymentsError) {
        guard ImpUID.isOne(impUID) else { throw .rule("imp_uid must be the id of a payment.") }
        for (name, text) in [
            ("merchant_uid", merchantUID), ("status", status), ("cancellation_id", cancellation ?? ""),
        ] {
            guard text.utf8.count <= 200, !text.utf8.contains(0) else {
                throw .rule("\(name) must be at most 200 characters of text.")
            }
        }
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.status = status
        self.cancellation = cancellation ?? ""
    }
}

/// A notice whose payment is to be looked at.
struct DueNotice: Sendable, Equatable {
    var impUID: String
    var status: String
    var cancellation: String
    /// When it was told last.
    var receivedAt: Date
    /// How often PortOne was asked, this time included.
    var attempts: Int
}

/// PortOne's ids of payments.
enum ImpUID {
    /// Whether a text can be one: it becomes part of a path.
    static func isOne(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
