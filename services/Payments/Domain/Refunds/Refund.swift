/// A refund to be requested from PortOne.
struct Refund: Sendable, Equatable {
    var id: RefundID
    var impUID: ImpUID
    /// In the smallest unit of the payment's currency.
    var amount: Int64
    var reason: String
    /// Number of requests to PortOne, including the current one.
    var attempts: Int
}
