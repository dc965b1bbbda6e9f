import Contracts
import FoundationEssentials

/// A paid post of Seoul Culture.
struct Purchase: Sendable, Equatable {
    /// Public ID of the buyer.
    var buyer: PublicID
    /// Public ID of the post.
    var post: PublicID
    /// The order code, with its middle masked: the shipped app puts its app key there.
    var maskedCode: String
    var productName: String
    /// Won, without refunds.
    var price: Int64
    var paidAt: Date

    init(_ order: Order, _ payment: Payment, buyer: PublicID) {
        self.buyer = buyer
        post = order.subject
        maskedCode = Self.masked(order.code)
        productName = order.name
        price = payment.balance.sold
        paidAt = payment.paidAt ?? order.paidAt ?? order.createdAt
    }

    /// The first and last four characters, with asterisks between them.
    static func masked(_ code: String) -> String {
        guard code.count > 8 else { return code }
        return "\(code.prefix(4))\(String(repeating: "*", count: min(code.count - 8, 16)))\(code.suffix(4))"
    }
}
