import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct WithholdingTableTests {
    @Test(arguments: MonthVector.read("withholding") as [[Int]])
    func tax_matchesWithholdingTable(row: [Int]) {
        #expect(WithholdingTable.tax(pay: row[0], dependents: row[1]) == row[2])
        #expect(Fraction(1, of: 10).timesCutToTen(row[2]) == row[3])
    }

    @Test func tax_growsWithPayAndShrinksWithDependents() {
        var last = 0
        for pay in stride(from: 700_000, through: 100_000_000, by: 10_000) {
            let tax = WithholdingTable.tax(pay: pay, dependents: 1)
            #expect(tax >= last, "\(pay)")
            #expect(WithholdingTable.tax(pay: pay, dependents: 2) <= tax)
            #expect(tax < pay / 2)
            last = tax
        }
    }
}

@Suite struct DeductionsTests {
    private let rates = PayRates.korean.rates(in: CivilMonth(year: 2025, month: 11))

    private func deductions(
        _ gross: Int,
        minutes: Int,
        days: [DayPay] = [],
        _ adjust: (inout WageTerms) -> Void = { _ in }
    ) -> Deductions {
        var terms = WageTerms(cycle: .monthly, basis: .hourly)
        terms.hasPension = true
        terms.hasHealth = true
        terms.hasEmployment = true
        adjust(&terms)
        return Deductions(gross: gross, minutes: minutes, days: days, terms: terms, rates: rates)
    }

    @Test func insurance_belowSixtyHours_isNotDeducted() {
        #expect(deductions(600_000, minutes: 3599).total == 0)
        let insured = deductions(600_000, minutes: 3600)
        #expect(insured.pension == 27_000 && insured.health > 0 && insured.employment == 5_400)
    }

    @Test func highPay_below60Hours_hasPension() {
        let paid = deductions(2_200_000, minutes: 600)
        #expect(paid.pension == 99_000 && paid.health == 0 && paid.employment == 0)
        #expect(deductions(2_199_999, minutes: 600).pension == 0)
    }

    @Test func employmentInsurance_appliesAfterThreeMonths() {
        #expect(deductions(300_000, minutes: 600) { $0.isEmployedForThreeMonths = true }.employment == 2_700)
    }

    @Test func pensionBase_staysWithinLimits() {
        #expect(deductions(100_000, minutes: 3600).pensionBase == 400_000)
        #expect(deductions(9_000_000, minutes: 3600).pensionBase == 6_370_000)
        #expect(deductions(1_234_999, minutes: 3600).pensionBase == 1_234_000)
    }

    @Test func dailyTax_isAppliedPerPayment() throws {
        let monday = try #require(CivilDate("2025-11-03"))
        let days = [
            DayPay(date: monday, amount: 200_000), DayPay(date: monday + 1, amount: 180_000),
            DayPay(date: monday + 7, amount: 160_000),
        ]
        func tax(_ cycle: WageTerms.Cycle) -> Int {
            deductions(540_000, minutes: 0, days: days) {
                $0 = WageTerms(cycle: cycle, basis: .hourly)
                $0.hasIncomeTax = true
                $0.taxMode = .daily
            }.incomeTax
        }
        // 1,350 + 810 + 270: a day below 1,000 is not collected, nor is a week.
        #expect(tax(.daily) == 1_350)
        #expect(tax(.weekly) == 2_160)
        #expect(tax(.monthly) == 2_430)
    }
}

@Suite struct PayRatesTests {
    @Test func rates_followTheMonth() {
        let book = PayRates.korean
        #expect(book.rates(in: CivilMonth(year: 2025, month: 6)).pensionBase == 390_000...6_170_000)
        #expect(book.rates(in: CivilMonth(year: 2025, month: 7)).pensionBase == 400_000...6_370_000)
        #expect(book.rates(in: CivilMonth(year: 2025, month: 12)).minimumWage == 10_030)
        #expect(book.rates(in: CivilMonth(year: 2026, month: 1)).minimumWage == 10_320)
        #expect(book.rates(in: CivilMonth(year: 2020, month: 1)).minimumWage == 9_860)
        #expect(book.rates(in: CivilMonth(year: 2040, month: 1)).pension == Fraction(5, of: 100))
    }

    @Test func holidays_areKnown() throws {
        #expect(PayRates.korean.isHoliday(try #require(CivilDate("2025-12-25"))))
        #expect(!PayRates.korean.isHoliday(try #require(CivilDate("2025-12-24"))))
    }
}
