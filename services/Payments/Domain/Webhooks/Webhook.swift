import FoundationEssentials

/// A webhook of PortOne (Anlaka contract 6.1, Webhook). It is not authenticated, and only triggers a request to
/// PortOne.
struct Webhook: Sendable, Equatable {
    var impUID: String
    var merchantUID: String
    var status: String
    /// Empty when it is not a cancellation.
    var cancellation: String

    /// - Throws: `PaymentsError.rule` when a field is invalid.
    init(impUID: String, merchantUID: String, status: String, cancellation: String?) throws(PaymentsError) {
        guard ImpUID.isValid(impUID) else { throw .rule("imp_uid must be the id of a payment.") }
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

/// A webhook whose payment is to be checked.
struct DueWebhook: Sendable, Equatable {
    var impUID: String
    var status: String
    var cancellation: String
    /// Time of the last delivery.
    var receivedAt: Date
    /// Number of requests to PortOne, including the current one.
    var attempts: Int
}

/// PortOne's payment IDs.
enum ImpUID {
    /// Whether a text can be an ID. Required because it becomes part of a path.
    static func isValid(_ text: String) -> Bool {
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
