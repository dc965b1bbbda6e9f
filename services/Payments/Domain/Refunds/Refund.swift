/// Money that is to go back, as PortOne is asked for it.
struct Refund: Sendable, Equatable {
    var id: Int64
    var impUID: String
    /// In the smallest unit of the payment's currency.
    var amount: Int64
    var reason: String
    /// How often PortOne was asked, this time included.
    var attempts: Int
}
