import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Payroll

/// The rates and holidays that the library contains.
@Suite struct RateBookTests {
    private let book = PayRates.korean

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private var today: CivilDate { CivilDate(dayNumber: Int(Date.now.timeIntervalSince1970 + 9 * 3600) / 86_400) }

    @Test(arguments: [(2024, 9_860), (2025, 10_030), (2026, 10_320), (2027, 10_700)])
    func minimumWage_isThatOfYear(year: Int, wage: Int) {
        for month in [1, 12] { #expect(book.rates(in: CivilMonth(year: year, month: month)).minimumWage == wage) }
    }

    @Test(arguments: [
        ("2024-01", 370_000, 5_900_000), ("2024-06", 370_000, 5_900_000), ("2024-07", 390_000, 6_170_000),
        ("2025-07", 400_000, 6_370_000), ("2027-06", 410_000, 6_590_000),
    ])
    func pensionBase_changesInJuly(month: String, least: Int, most: Int) throws {
        #expect(book.rates(in: try day("\(month)-01").month).pensionBase == least...most)
    }

    @Test(arguments: [2024, 2025, 2026, 2027]) func pensionRate_followsLaw(year: Int) {
        let parts = [2024: 450, 2025: 450, 2026: 475, 2027: 500]
        let rate = book.rates(in: CivilMonth(year: year, month: 1)).pension
        #expect(rate.parts * 10_000 == (parts[year] ?? 0) * rate.of)
    }

    @Test(arguments: [
        "2024-02-12", "2024-05-06", "2024-06-06", "2024-10-01", "2026-07-17", "2027-01-01", "2027-02-09", "2027-05-03",
        "2027-05-05", "2027-07-19", "2027-08-16", "2027-09-15", "2027-10-04", "2027-10-11", "2027-12-27",
    ])
    func holiday_includesSubstitutes(date: String) throws {
        #expect(book.isHoliday(try day(date)))
    }

    @Test(arguments: ["2024-02-13", "2025-07-17", "2027-02-10", "2027-06-07", "2027-09-17"])
    func workday_isNoHoliday(date: String) throws {
        #expect(!book.isHoliday(try day(date)))
    }

    /// Each year has its fixed holidays, and each holiday is within the days of the book.
    @Test func holidays_areCompleteForEachYear() throws {
        let fixed = ["01-01", "03-01", "05-01", "05-05", "06-06", "08-15", "10-03", "10-09", "12-25"]
        for year in 2024...2027 {
            for date in fixed { #expect(book.isHoliday(try day("\(year)-\(date)"))) }
            // Seollal and Chuseok are three days each.
            let count = (try day("\(year)-01-01").dayNumber...(try day("\(year)-12-31").dayNumber))
                .count { book.isHoliday(CivilDate(dayNumber: $0)) }
            #expect(count >= fixed.count + 6 + 1)
        }
    }

    @Test(arguments: [
        ("2023-12", true), ("2024-01", false), ("2025-11", false), ("2026-12", false), ("2027-01", true),
        ("2028-01", true),
    ])
    func payslip_isMarkedProvisional_withoutFinalRates(text: String, isProvisional: Bool) throws {
        let month = try day("\(text)-01").month
        let terms = WageTerms(cycle: .monthly, basis: .hourly)
        let shift = Shift(id: 1, date: month.first, start: 600, length: 60, rest: 0, rate: 12_000)
        let pay = MonthPay(month, shifts: [shift], terms: terms)
        let found = Payslip(pay, terms: terms).warnings
        #expect(found.map(\.code) == (isProvisional ? ["PROVISIONAL_RATES"] : []))
        #expect(found.allSatisfy { $0.date == "\(text)-01" && !$0.law.isEmpty })
        let empty = MonthPay(month, shifts: [], terms: terms)
        #expect(Payslip(empty, terms: terms).warnings.isEmpty)
    }

    /// Shifts are planned months ahead: the next year's data are due before the present ones end.
    @Test func book_endsNoSoonerThanIn120Days() {
        #expect(book.days.upperBound >= today + 120)
    }

    @Test func rates_areFinal_inPresentMonth() {
        #expect(!book.isProvisional(today.month))
    }
}
