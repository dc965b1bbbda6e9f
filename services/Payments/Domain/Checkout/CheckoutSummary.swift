import Contracts

/// What a checkout page says of the order, in Korean.
struct CheckoutSummary: Sendable, Equatable {
    var title: String
    /// The listing in a few words: kind, deposit, rent, area, floor; as it was when it was ordered.
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

    /// Square metres, to the tenth.
    private static func area(_ area: Double) -> String {
        let rounded = (area * 10).rounded() / 10
        return Int64(exactly: rounded).map(String.init) ?? String(rounded)
    }

    /// Won, with a comma after every three digits.
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
