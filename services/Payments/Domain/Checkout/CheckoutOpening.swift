import FoundationEssentials

/// The content of a checkout page.
struct CheckoutOpening: Sendable {
    /// Credential of the page's requests: 256 random bits, in base64url.
    var token: String
    /// Expiry of the token.
    var tokenEnd: Date
    var order: Order
    /// Name of the payer.
    var buyer: String
    /// The server's time, since the client's clock may be wrong.
    var now: Date
}
