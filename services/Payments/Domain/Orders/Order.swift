import Contracts
import FoundationEssentials

/// An order: the reservation of a listing (Anlaka contract 4.7), or the price of a Seoul Culture post (Culture contract
/// 4.5).
struct Order: Sendable, Equatable {
    enum State: String, Sendable {
        /// Can be paid until `heldUntil`.
        case open
        case paid
        /// Not paid in time, or cancelled by the user.
        case expired
        /// Paid, and refunded completely.
        case refunded
    }

    var id: OrderID
    var publicID = PublicID.random()
    var app: App
    /// PortOne's `merchant_uid`.
    var code: String
    var account: AccountID
    /// Public ID of the listing or the post.
    var subject: PublicID
    /// Product name on receipts.
    var name: String
    /// Won.
    var amount: Int64
    /// The listing as it was when the order was placed; nil for posts.
    var listing: EstateAPI.Listing?
    var state = State.open
    var heldUntil: Date
    /// Time at which the amount was registered with PortOne.
    var preparedAt: Date?
    var createdAt: Date
    var updatedAt: Date
    var paidAt: Date?

    /// A code in the original's format: four letters and six digits, 4.6 × 10¹¹ values (Anlaka contract 4.7).
    static func randomCode() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let digits = Array("0123456789")
        var generator = SystemRandomNumberGenerator()
        let word = (0..<4).map { _ in letters[Int.random(in: 0..<26, using: &generator)] }
        return String(word + (0..<6).map { _ in digits[Int.random(in: 0..<10, using: &generator)] })
    }
}
