import FoundationEssentials

/// An amount in the smallest unit of its currency (ISO 4217): won for KRW, cents for USD.
struct Money: Sendable, Equatable {
    var amount: Int64
    var currency: String

    init(amount: Int64, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    static func won(_ amount: Int64) -> Money { Money(amount: amount, currency: "KRW") }

    /// An amount in PortOne's notation: 100 for 100 won, 9.99 for 999 cents. nil when it is negative, finer than the
    /// smallest unit, or the currency is invalid.
    init?(units: Double, currency: String) {
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        let amount = units * Self.scale(of: currency)
        guard amount >= 0, amount <= Self.largest, abs(amount - amount.rounded()) < 0.000_1 else { return nil }
        self.init(amount: Int64(amount.rounded()), currency: currency)
    }

    /// The amount in PortOne's notation.
    var units: Double { Double(amount) / Self.scale(of: currency) }

    /// Limit at which sums stay exact in a `Double` and in PostgreSQL.
    private static let largest = 1e14

    /// PortOne's currencies without a smaller unit.
    private static let whole: Set = ["KRW", "JPY", "VND"]

    private static func scale(of currency: String) -> Double { whole.contains(currency) ? 1 : 100 }
}
