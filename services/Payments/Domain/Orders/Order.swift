import Contracts
import FoundationEssentials

/// What somebody wants to pay for: the reservation of a listing (Anlaka contract 4.7), or what a post of Seoul Culture asks
/// for (Culture contract 4.5).
struct Order: Sendable, Equatable {
    enum State: String, Sendable {
        /// May be paid until `heldUntil`.
        case open
        case paid
        /// Nobody has paid in time, or it was given up.
        case expired
        /// Paid, and all of it given back since.
        case refunded
    }

    var id: Int64
    /// 24 hexadecimal digits.
    var publicID = PublicID.random()
    var app: App
    /// What PortOne knows it by (`merchant_uid`).
    var code: String
    var account: Int64
    /// The public id of the listing or the post.
    var subject: String
    /// What is paid for, as receipts call it.
    var name: String
    /// Won.
    var amount: Int64
    /// The listing as it was when it was ordered; nil for posts.
    var listing: EstateAPI.Listing?
    var state = State.open
    var heldUntil: Date
    /// When PortOne has taken note of the amount.
    var preparedAt: Date?
    var createdAt: Date
    var updatedAt: Date
    var paidAt: Date?

    /// A code as the original's: four letters and six digits, of 4.6 × 10¹¹ (Anlaka contract 4.7).
    static func randomCode() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let digits = Array("0123456789")
        var generator = SystemRandomNumberGenerator()
        let word = (0..<4).map { _ in letters[Int.random(in: 0..<26, using: &generator)] }
        return String(word + (0..<6).map { _ in digits[Int.random(in: 0..<10, using: &generator)] })
    }
}
