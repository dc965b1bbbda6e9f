import Contracts
import TestKit
import Testing
import Values

@testable import Payroll

/// Months at the boundary of a rule, calculated by hand.
@Suite struct BoundaryTests {
    /// Ten shifts from 10:00, the last of its own length.
    private func month(ofShifts last: Int, _ text: String, _ basis: WageTerms.Basis, rate: Int = 0) throws -> MonthPay {
        let month = try #require(CivilDate("\(text)-01")).month
        var terms = WageTerms(cycle: .monthly, basis: basis)
        terms.hasPension = true
        terms.hasHealth = true
        terms.hasEmployment = true
        let shifts = (0..<10).map { day in
            Shift(
                id: ShiftID(rawValue: Int64(day)),
                date: month.first + day,
                start: 600,
                length: day == 9 ? last : 360,
                rest: 0,
                rate: rate
            )
        }
        return MonthPay(month, shifts: shifts, terms: terms)
    }

    /// 10 × ⌊360 × 10,030 ÷ 60⌋ = 601,800. Pension: 601,000 × 4.5 % = 27,045. Health: 601,800 × 3.545 % = 21,333.8.
    /// Long-term care: 21,330 × 9,182 ÷ 70,900 = 2,762.4. Employment: 601,800 × 0.9 % = 5,416.2. Each cut to ten won.
    @Test func insurance_startsAtSixtyHours() throws {
        let insured = try month(ofShifts: 360, "2025-11", .hourly, rate: 10_030)
        #expect(insured.netMinutes == 3600 && insured.gross == 601_800)
        let taken = insured.deductions
        #expect([taken.pension, taken.health, taken.longTermCare, taken.employment] == [27_040, 21_330, 2_760, 5_410])
        // 9 × 60,180 + ⌊359 × 10,030 ÷ 60⌋ = 541,620 + 60,012.
        let minuteLess = try month(ofShifts: 359, "2025-11", .hourly, rate: 10_030)
        #expect(minuteLess.netMinutes == 3599 && minuteLess.gross == 601_632)
        #expect(minuteLess.net == 601_632)
    }

    /// 2,200,000 × 4.5 % = 99,000, though only ten hours were worked; nothing else is deducted.
    @Test func highPay_below60Hours_hasPensionOnly() throws {
        let month = CivilMonth(year: 2025, month: 11)
        for (pay, pension) in [(2_199_999, 0), (2_200_000, 99_000)] {
            var terms = WageTerms(cycle: .monthly, basis: .fixed(pay))
            terms.hasPension = true
            terms.hasHealth = true
            terms.hasEmployment = true
            let shift = Shift(id: 1, date: month.first, start: 540, length: 600, rest: 0, rate: 0)
            let taken = MonthPay(month, shifts: [shift], terms: terms).deductions
            #expect(taken.pension == pension && taken.total == pension)
        }
    }

    /// The limits that hold in the month, times its rate: 390,000 × 4.5 % = 17,550 … 6,590,000 × 4.75 % = 313,025, cut
    /// to ten won.
    @Test(arguments: [
        ("2025-06", 300_000, 17_550), ("2025-07", 300_000, 18_000), ("2025-06", 9_000_000, 277_650),
        ("2025-07", 9_000_000, 286_650), ("2025-12", 9_000_000, 286_650), ("2026-01", 9_000_000, 302_570),
        ("2026-06", 300_000, 19_000), ("2026-06", 9_000_000, 302_570), ("2026-07", 300_000, 19_470),
        ("2026-07", 9_000_000, 313_020),
    ])
    func pension_followsLimitsOfMonth(text: String, pay: Int, pension: Int) throws {
        #expect(try month(ofShifts: 360, text, .fixed(pay)).deductions.pension == pension)
    }

    /// The row up to 1,060,000: its middle of 1,057,500 makes 12,690,000 a year, less 6,576,000, 1,500,000, 570,780 and
    /// 3,607,600 leaves 435,620; 6 % less 55 % of it, a twelfth: 980, which is not collected. The next row makes
    /// 12,750,000 − 6,600,000 − 1,500,000 − 573,480 − 3,610,000 = 466,520, a tax of 1,049, cut to 1,040, and 104 of
    /// local tax, cut to 100.
    @Test func tax_belowThousandWon_isNotCollected() {
        let month = CivilMonth(year: 2025, month: 11)
        for (pay, tax, local) in [(1_059_999, 0, 0), (1_060_000, 1_040, 100)] {
            var terms = WageTerms(cycle: .monthly, basis: .fixed(pay))
            terms.hasIncomeTax = true
            let shift = Shift(id: 1, date: month.first, start: 540, length: 60, rest: 0, rate: 0)
            let taken = MonthPay(month, shifts: [shift], terms: terms).deductions
            #expect(taken.incomeTax == tax && taken.localIncomeTax == local)
        }
    }

    /// From Monday 29 to Wednesday 31 December, paid on Sunday 4 January: December has the hours, January the pay.
    /// Three days share 400,000 and stay below 150,000 each; one alone is taxed: 250,000 × 2.7 % = 6,750, and 675 of
    /// local tax.
    @Test func weeklyPay_acrossYears_isPaidWithoutShift() throws {
        let monday = try #require(CivilDate("2025-12-29"))
        var terms = WageTerms(cycle: .weekly, basis: .fixed(400_000), payWeekday: .sunday)
        terms.hasIncomeTax = true
        terms.taxMode = .daily
        terms.hasPension = true
        let shifts = (0..<3).map {
            Shift(id: ShiftID(rawValue: Int64($0)), date: monday + $0, start: 540, length: 480, rest: 0, rate: 0)
        }
        let december = MonthPay(CivilMonth(year: 2025, month: 12), shifts: shifts, terms: terms)
        #expect(december.gross == 0 && december.netMinutes == 1440)
        let january = CivilMonth(year: 2026, month: 1)
        let paid = MonthPay(january, shifts: shifts, terms: terms)
        #expect(paid.gross == 400_000 && paid.net == 400_000 && paid.shifts.isEmpty && !paid.isEmpty)
        let ofOneDay = MonthPay(january, shifts: [shifts[2]], terms: terms)
        #expect(ofOneDay.deductions.incomeTax == 6_750 && ofOneDay.deductions.localIncomeTax == 670)
        #expect(Payslip(paid, terms: terms).earnings.map(\.amount) == [400_000])
    }

    /// Ten hours at 18,600 are 186,000, of which 36,000 × 2.7 % = 972 are due: too little by the day; 1,944 for the two
    /// of the first week and nothing for the second; 2,916 for all three. Each payment is cut to ten won.
    @Test(arguments: [(WageTerms.Cycle.daily, 0), (.weekly, 1_940), (.monthly, 2_910)])
    func dailyTax_isAppliedPerPayment(cycle: WageTerms.Cycle, tax: Int) throws {
        let monday = try #require(CivilDate("2025-11-03"))
        var terms = WageTerms(cycle: cycle, basis: .hourly)
        terms.hasIncomeTax = true
        terms.taxMode = .daily
        let shifts = [0, 1, 7].map { day in
            Shift(id: ShiftID(rawValue: Int64(day)), date: monday + day, start: 480, length: 600, rest: 0, rate: 18_600)
        }
        #expect(MonthPay(monday.month, shifts: shifts, terms: terms).deductions.incomeTax == tax)
    }

    /// 37,037 × 2.7 % = 999.999 is not collected, 37,038 × 2.7 % = 1,000.026 is.
    @Test func dailyTax_startsAtThousandWon() throws {
        let day = try #require(CivilDate("2025-11-03"))
        for (pay, tax) in [(187_037, 0), (187_038, 1_000)] {
            var terms = WageTerms(cycle: .daily, basis: .fixed(pay))
            terms.hasIncomeTax = true
            terms.taxMode = .daily
            let shift = Shift(id: 1, date: day, start: 480, length: 600, rest: 0, rate: 0)
            #expect(MonthPay(day.month, shifts: [shift], terms: terms).deductions.incomeTax == tax)
        }
    }
}
