import FoundationEssentials

/// A checkout page that is to be shown, to whoever has ordered.
struct CheckoutOpening: Sendable {
    /// What the page shows with its calls: 256 random bits, in base64url.
    var token: String
    /// Until when the token is good.
    var tokenEnd: Date
    var order: Order
    /// What the payer is called.
    var buyer: String
    /// What time it is here; the phone's clock may be wrong.
    var now: Date
}
