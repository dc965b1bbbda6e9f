import Contracts
import TestKit
import Testing
import Values

@testable import Payroll

/// A wage or its basis that changes within a month.
@Suite struct ChangedTermsTests {
    private static let november = CivilMonth(year: 2025, month: 11)

    enum Pay: String, CaseIterable {
        case hourly, otherRate, monthly, weekly, daily

        var terms: WageTerms {
            switch self {
            case .hourly, .otherRate: WageTerms(cycle: .monthly, basis: .hourly)
            case .monthly: WageTerms(cycle: .monthly, basis: .fixed(2_000_000))
            case .weekly: WageTerms(cycle: .weekly, basis: .fixed(500_000), payWeekday: .sunday)
            case .daily: WageTerms(cycle: .daily, basis: .fixed(90_000))
            }
        }

        /// Won per hour, as recorded with a shift.
        var rate: Int { self == .hourly ? 10_320 : self == .otherRate ? 12_345 : 0 }

        /// What the days from one to another of November 2025 earn, with a shift of eight hours on each day from Monday to
        /// Saturday. The month begins on a Saturday and ends on a Sunday.
        func earned(from first: Int, to last: Int) -> Int {
            let worked = (first...last).filter { !november.first.isSunday($0) }
            guard !worked.isEmpty else { return 0 }
            switch self {
            case .hourly, .otherRate: return worked.count * 8 * rate
            case .monthly: return 2_000_000 * (last - first + 1) / 30
            case .daily: return worked.count * 90_000
            case .weekly:
                // The first week has its days from Monday on in October.
                let weeks = [-4...2, 3...9, 10...16, 17...23, 24...30]
                return weeks.reduce(0) { sum, week in
                    let days = (first == 1 ? -4 : first)...last
                    guard days.overlaps(week), worked.contains(where: week.contains) else { return sum }
                    return sum + 500_000 * days.clamped(to: week).count / 7
                }
            }
        }
    }

    private static func shifts(_ old: Pay, until day: Int, then new: Pay) -> [Shift] {
        (1...30).filter { !november.first.isSunday($0) }.map { number in
            let date = november.first + (number - 1)
            let rate = (number < day ? old : new).rate
            return Shift(id: ShiftID(rawValue: Int64(number)), date: date, start: 540, length: 480, rest: 0, rate: rate)
        }
    }

    private static func history(_ old: Pay, until day: Int, then new: Pay) -> TermHistory? {
        TermHistory([
            TermHistory.Entry(since: november.first, terms: old.terms),
            TermHistory.Entry(since: november.first + (day - 1), terms: new.terms),
        ])
    }

    @Test(arguments: Pay.allCases, Pay.allCases)
    func change_onAnyDay_keepsWhatWasEarned(old: Pay, new: Pay) throws {
        for day in 2...30 {
            let shifts = Self.shifts(old, until: day, then: new)
            let history = try #require(Self.history(old, until: day, then: new))
            let pay = MonthPay(Self.november, shifts: shifts, history: history)
            let expected = old.earned(from: 1, to: day - 1) + new.earned(from: day, to: 30)
            #expect(pay.gross == expected, "on \(day)")
            let slip = Payslip(pay, terms: new.terms)
            #expect(slip.earnings.reduce(0) { $0 + $1.amount } == expected, "on \(day)")
            #expect(pay.netOfShifts.reduce(0, +) == pay.net, "on \(day)")
        }
    }

    @Test func changeOfBasis_isExplainedOnPayslip() throws {
        let shifts = Self.shifts(.monthly, until: 15, then: .hourly)
        let history = try #require(Self.history(.monthly, until: 15, then: .hourly))
        let slip = Payslip(MonthPay(Self.november, shifts: shifts, history: history), terms: Pay.hourly.terms)
        #expect(slip.earnings.map(\.code) == ["FIXED_PAY_PART", "BASE_PAY"])
        let part = try #require(slip.earnings.first?.items.first)
        #expect(part.date == "2025-11-01" && part.amount == 933_333)
        #expect(part.inputs.map(\.value) == [2_000_000, 14, 30])
    }

    /// The premiums of the days before a workplace lost its fifth employee stay.
    @Test func smallerWorkplace_keepsEarlierPremiums() throws {
        var large = Pay.hourly.terms
        large.hasFiveOrMoreEmployees = true
        let monday = Self.november.first + 2
        let shifts = (0..<5).map {
            Shift(id: ShiftID(rawValue: Int64($0)), date: monday + $0, start: 480, length: 600, rest: 0, rate: 10_000)
        }
        let history = try #require(
            TermHistory([
                TermHistory.Entry(since: monday, terms: large),
                TermHistory.Entry(since: monday + 2, terms: Pay.hourly.terms),
            ])
        )
        #expect(MonthPay(Self.november, shifts: shifts, history: history).overtimePremium == 2 * 10_000)
    }

    /// The pay of a week that ends in the next month, in which the terms change.
    @Test func weekAcrossMonths_isPaidInItsMonth() throws {
        let friday = Self.november.first + -1
        let shifts = [
            Shift(id: 1, date: friday, start: 540, length: 480, rest: 0, rate: 0),
            Shift(id: 2, date: friday + 1, start: 540, length: 480, rest: 0, rate: 10_320),
        ]
        let history = try #require(
            TermHistory([
                TermHistory.Entry(since: friday + -300, terms: Pay.weekly.terms),
                TermHistory.Entry(since: friday + 1, terms: Pay.hourly.terms),
            ])
        )
        #expect(MonthPay(Self.november.next(-1), shifts: shifts, history: history).gross == 0)
        let november = MonthPay(Self.november, shifts: shifts, history: history)
        #expect(november.gross == 500_000 * 5 / 7 + 8 * 10_320)
    }
}

extension CivilDate {
    /// Whether a day of the month that begins with this date is a Sunday.
    fileprivate func isSunday(_ day: Int) -> Bool { (self + (day - 1)).weekday == .sunday }
}
