import FoundationEssentials

/// A webhook of PortOne (Anlaka contract 6.1, Webhook). It is not authenticated, and only triggers a request to
/// PortOne, so its other fields are checked and dropped.
struct Webhook: Sendable, Equatable {
    var impUID: ImpUID
    var merchantUID: String

    /// - Throws: `PaymentsError.rule` when a field is invalid.
    init(impUID: String, merchantUID: String, status: String, cancellation: String?) throws(PaymentsError) {
        guard let impUID = ImpUID(rawValue: impUID) else { throw .rule("imp_uid must be the id of a payment.") }
        for (name, text) in [
            ("merchant_uid", merchantUID), ("status", status), ("cancellation_id", cancellation ?? ""),
        ] {
            guard text.utf8.count <= 200, !text.utf8.contains(0) else {
                throw .rule("\(name) must be at most 200 characters of text.")
            }
        }
        self.impUID = impUID
        self.merchantUID = merchantUID
    }
}

/// A payment that webhooks have named and that is to be checked.
struct DueWebhook: Sendable, Equatable {
    var impUID: ImpUID
    /// As the first webhook has it, which may be forged.
    var merchantUID: String
    /// Time of the last webhook.
    var receivedAt: Date
    /// Number of requests to PortOne, including the current one.
    var attempts: Int
}
