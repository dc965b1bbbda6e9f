import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct RateBookGrowthTests {
    @Test(arguments: MonthVector.all)
    func laterEntries_keepPastPayslips(vector: MonthVector) throws {
        let later = try PayRates.withLaterEntries()
        let (month, terms) = (vector.civilMonth, vector.terms)
        let before = MonthPay(month, shifts: vector.recorded, terms: terms)
        let after = MonthPay(month, shifts: vector.recorded, terms: terms, book: later)
        #expect(before == after)
        #expect(Payslip(before, terms: terms) == Payslip(after, terms: terms, book: later))
    }

    @Test func changedBook_hasNewRevision() throws {
        let later = try PayRates.withLaterEntries()
        #expect(later.revision != PayRates.korean.revision)
        #expect(try PayRates.withLaterEntries().revision == later.revision)
        #expect(later.rates(in: CivilMonth(year: 2027, month: 1)).minimumWage == 11_000)
        #expect(later.rates(in: CivilMonth(year: 2027, month: 7)).pensionBase == 1...2)
        #expect(later.isHoliday(try #require(CivilDate("2027-03-01"))))
    }
}

extension PayRates {
    /// The rate book with the entries of a later year.
    static func withLaterEntries() throws -> PayRates {
        func add(_ entry: String, after start: String, in bytes: [UInt8]) -> [UInt8] {
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = text.split(separator: "\(start): [", maxSplits: 1)
            let end = parts[1].firstIndex(of: "]") ?? parts[1].endIndex
            return Array("\(parts[0])\(start): [\(parts[1][..<end]), \(entry)\(parts[1][end...])".utf8)
        }
        let entry = """
            {"from": "2027-01-01", "minimumWage": 11000, "pension": {"of": 100, "parts": 5},
             "health": {"of": 100, "parts": 4}, "longTermCare": {"of": 100, "parts": 14},
             "employment": {"of": 100, "parts": 1}, "employersEmployment": {"of": 100, "parts": 1}}
            """
        let rates = add(entry, after: #""rates""#, in: PackageResources.rates_json)
        return try PayRates(
            rates: add(#"{"from": "2027-07-01", "least": 1, "most": 2}"#, after: #""pensionBases""#, in: rates),
            holidays: add(#""2027-03-01""#, after: #""holidays""#, in: PackageResources.holidays_json)
        )
    }
}
