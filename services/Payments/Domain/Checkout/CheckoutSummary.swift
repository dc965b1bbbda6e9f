import Contracts

/// An order as shown on the checkout page, in Korean.
struct CheckoutSummary: Sendable, Equatable {
    var title: String
    /// The listing's category, deposit, rent, area and floor, as they were when the order was placed.
    var facts: [String]
    /// `1,234,000원`.
    var price: String

    init(_ order: Order) {
        title = order.name
        facts = order.listing.map(Self.facts) ?? []
        price = Self.won(order.amount)
    }

    private static func facts(_ listing: EstateAPI.Listing) -> [String] {
        var facts = [listing.category]
        if listing.deposit > 0 { facts.append("보증금 \(won(listing.deposit))") }
        if listing.monthlyRent > 0 { facts.append("월세 \(won(listing.monthlyRent))") }
        if listing.area > 0 { facts.append("\(area(listing.area))㎡") }
        if listing.floors != 0 { facts.append(listing.floors > 0 ? "\(listing.floors)층" : "지하 \(-listing.floors)층") }
        return facts.filter { !$0.isEmpty }
    }

    /// Square metres, rounded to one decimal.
    private static func area(_ area: Double) -> String {
        let rounded = (area * 10).rounded() / 10
        return Int64(exactly: rounded).map(String.init) ?? String(rounded)
    }

    /// Won, with thousands separators.
    static func won(_ amount: Int64) -> String {
        let digits = Array(String(amount.magnitude))
        var text = amount < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text + "원"
    }
}
