import Testing

@testable import Payments

@Suite struct MoneyTests {
    @Test(arguments: [
        (100.0, "KRW", Int64(100)), (0, "KRW", 0), (9.99, "USD", 999), (0.1, "EUR", 10),
        (1e14, "KRW", 100_000_000_000_000),
        (1_000_000, "JPY", 1_000_000), (19.99, "CNY", 1999),
    ])
    func units_convertToMinorUnits(units: Double, currency: String, amount: Int64) {
        #expect(Money(units: units, currency: currency) == Money(amount: amount, currency: currency))
        #expect(Money(amount: amount, currency: currency).units == units)
    }

    @Test(arguments: [
        (-1.0, "KRW"), (100.5, "KRW"), (9.999, "USD"), (.nan, "KRW"), (.infinity, "KRW"), (1e15, "KRW"), (1, "krw"),
        (1, ""),
        (1, "원"), (1, "KR"), (1, "KRWW"),
    ])
    func invalidAmountOrCurrency_isNil(units: Double, currency: String) {
        #expect(Money(units: units, currency: currency) == nil)
    }
}
