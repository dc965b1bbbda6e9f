import FoundationEssentials
import Testing

@testable import Sandbox

@Suite struct PortOneAmountTests {
    @Test(arguments: [
        ("0", "0", "0원"), ("900", "900", "900원"), ("12000", "12000", "12,000원"),
        ("1234567.00", "1234567", "1,234,567원"),
    ])
    func wonAmount_hasNoDecimals(text: String, number: String, words: String) throws {
        let amount = try #require(PortOneAmount(text))
        #expect(amount.description == number)
        #expect(amount.words(in: "KRW") == words)
        #expect(amount.fits("KRW"))
        #expect(String(decoding: try JSONEncoder().encode([amount]), as: UTF8.self) == "[\(number)]")
    }

    @Test func otherCurrencies_haveDecimals() throws {
        let left = try #require(PortOneAmount("10.1"))
        let right = try #require(PortOneAmount("3.35"))
        #expect(String(decoding: try JSONEncoder().encode([left - right]), as: UTF8.self) == "[6.75]")
        #expect((left + right).words(in: "USD") == "13.45 USD")
        #expect(left.words(in: "USD") == "10.10 USD")
        #expect(left.fits("USD"))
        #expect(!left.fits("KRW"))
    }

    @Test(arguments: ["-1", "1.001", "abc", "1e3", "nan", "0x10", "", ".", "1.2.3", "9999999999999999", "+1"])
    func invalidText_isRefused(text: String) {
        #expect(PortOneAmount(text) == nil)
    }

    @Test(arguments: [-0.01, 0.001, 1e13, .nan, .infinity])
    func invalidNumber_isRefused(number: Double) {
        #expect(PortOneAmount(number) == nil)
    }
}
