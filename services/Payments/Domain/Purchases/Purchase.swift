import FoundationEssentials

/// What somebody has paid for in Seoul Culture.
struct Purchase: Sendable, Equatable {
    /// The public id of who has paid.
    var buyer: String
    /// The public id of the post.
    var post: String
    /// The code under which it was paid, with its middle masked: the shipped app puts its key there.
    var maskedCode: String
    var productName: String
    /// Won: what has paid for it and was not given back.
    var price: Int64
    var paidAt: Date

    init(_ order: Order, _ payment: Payment, buyer: String) {
        self.buyer = buyer
        post = order.subject
        maskedCode = Self.masked(order.code)
        productName = order.name
        price = payment.balance.sold
        paidAt = payment.paidAt ?? order.paidAt ?? order.createdAt
    }

    /// Its first and last four characters, and stars for the rest.
    static func masked(_ code: String) -> String {
        guard code.count > 8 else { return code }
        return "\(code.prefix(4))\(String(repeating: "*", count: min(code.count - 8, 16)))\(code.suffix(4))"
    }
}
