import Contracts
import Testing
import Values

@testable import Payroll

/// Rules of law for day labourers, low fixed pay, and what the records do not suffice for.
@Suite struct UncomputedPayTests {
    private func days(_ count: Int, _ first: String, minutes: Int = 240, rate: Int = 12_000) throws -> [Shift] {
        let first = try #require(CivilDate(first))
        return (0..<count).map {
            Shift(id: ShiftID(rawValue: Int64($0)), date: first + $0, start: 540, length: minutes, rest: 0, rate: rate)
        }
    }

    private func pay(_ shifts: [Shift], _ adjust: (inout WageTerms) -> Void) throws -> (MonthPay, Payslip) {
        var terms = WageTerms(cycle: .daily, basis: .hourly)
        adjust(&terms)
        let pay = MonthPay(try #require(shifts.first).date.month, shifts: shifts, terms: terms)
        return (pay, Payslip(pay, terms: terms))
    }

    /// 48,000 × 0.9 % = 432, cut to ten won.
    @Test func employmentInsurance_ofDayLabourer_isDueFromFirstDay() throws {
        for (mode, amount) in [(WageTerms.TaxMode.daily, 430), (.table, 0), (.business, 0)] {
            let (pay, slip) = try pay(days(1, "2025-11-03")) {
                $0.hasEmployment = true
                $0.taxMode = mode
            }
            #expect(pay.deductions.employment == amount)
            #expect(slip.deductions.first?.reason == nil || amount == 0)
            #expect((pay.employersShare.total > 0) == (amount > 0))
        }
    }

    @Test(arguments: [(7, WageTerms.TaxMode.daily, false), (8, .daily, true), (8, .table, false)])
    func pension_ofDayLabourer_isDueFromEightDays(count: Int, mode: WageTerms.TaxMode, isDue: Bool) throws {
        let (pay, _) = try pay(days(count, "2025-11-03")) {
            $0.hasPension = true
            $0.taxMode = mode
        }
        #expect((pay.deductions.pension > 0) == isDue)
    }

    /// Ten days of four hours are 40 hours: 401,200 won at the minimum wage of 2025.
    @Test(arguments: [(401_200, false), (401_199, true)])
    func fixedPay_belowMinimumWage_isWarned(amount: Int, isLow: Bool) throws {
        let (_, slip) = try pay(days(10, "2025-11-03")) {
            $0 = WageTerms(cycle: .monthly, basis: .fixed(amount))
        }
        let warned = slip.warnings.filter { $0.code == "BELOW_MINIMUM_WAGE" }
        #expect(warned.map(\.date) == (isLow ? ["2025-11-03"] : []))
    }

    @Test(arguments: [
        ("2025-10-13", true, "2025-10-03, 2025-10-05, 2025-10-06, 2025-10-07, 2025-10-08, 2025-10-09"),
        ("2025-10-13", false, nil), ("2025-11-03", true, nil), ("2025-05-01", true, "2025-05-05, 2025-05-06"),
        ("2025-05-01", false, "2025-05-01"),
    ])
    func paidHolidays_areNotComputed(first: String, isFive: Bool, holidays: String?) throws {
        let (_, slip) = try pay(days(2, first)) { $0.hasFiveOrMoreEmployees = isFive }
        let line = slip.earnings.first { $0.code == "PAID_HOLIDAY" }
        #expect((line != nil) == (holidays != nil))
        if let holidays, let line { #expect(line.amount == 0 && line.reason?.hasSuffix(": \(holidays)") == true) }
    }

    @Test(arguments: [(2, true, true), (2, false, false), (5, true, false)])
    func premiumBeyondAgreedHours_isNotComputed(count: Int, isFive: Bool, isListed: Bool) throws {
        let (_, slip) = try pay(days(count, "2025-11-03", minutes: 480)) { $0.hasFiveOrMoreEmployees = isFive }
        #expect(slip.earnings.contains { $0.code == "AGREED_HOURS_PREMIUM" && $0.amount == 0 } == isListed)
    }

    @Test func weeklyAllowance_saysThatAttendanceIsAssumed() throws {
        var shifts = try days(5, "2025-11-03")
        for index in shifts.indices { shifts[index].hasWeeklyAllowance = true }
        let (_, slip) = try pay(shifts) { _ in }
        let line = try #require(slip.earnings.first { $0.code == "WEEKLY_HOLIDAY_ALLOWANCE" })
        #expect(line.amount > 0 && line.reason?.contains("제30조") == true)
    }
}
