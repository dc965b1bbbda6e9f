import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct PayslipWarningTests {
    private func warnings(_ text: String, _ shifts: [Shift], five: Bool = false) throws -> [Payslip.Warning] {
        var terms = WageTerms(cycle: .monthly, basis: .hourly)
        terms.hasFiveOrMoreEmployees = five
        let month = try #require(CivilDate("\(text)-01")).month
        return Payslip(MonthPay(month, shifts: shifts, terms: terms), terms: terms).warnings
    }

    private func shift(_ date: String, _ start: Int, _ length: Int?, rest: Int = 0, rate: Int = 12_000) throws -> Shift
    {
        Shift(id: 7, date: try #require(CivilDate(date)), start: start, length: length, rest: rest, rate: rate)
    }

    @Test(arguments: [
        ("2025-12-31", 10_030, 0), ("2025-12-31", 10_029, 1), ("2026-01-01", 10_030, 1), ("2026-01-01", 10_320, 0),
    ])
    func warning_belowMinimumWageOfDay(date: String, rate: Int, count: Int) throws {
        let found = try warnings(String(date.prefix(7)), [try shift(date, 600, 120, rate: rate)])
        #expect(found.map(\.code) == Array(repeating: "BELOW_MINIMUM_WAGE", count: count))
        #expect(found.allSatisfy { $0.shiftId == 7 && $0.date == date })
    }

    /// Length, break, and whether the break is too short: the working time counts.
    @Test(arguments: [
        (239, 0, false), (240, 0, true), (269, 29, true), (270, 30, false), (509, 30, false), (510, 30, true),
        (539, 59, true), (540, 60, false),
    ])
    func warning_onShortBreaks(length: Int, rest: Int, isShort: Bool) throws {
        let found = try warnings("2025-11", [try shift("2025-11-05", 600, length, rest: rest)])
        #expect(found.map(\.code) == (isShort ? ["SHORT_BREAK"] : []))
    }

    @Test func warning_onWeeksWithoutPaidHoliday() throws {
        var week = try ["2025-11-03", "2025-11-05", "2025-11-07", "2025-11-08", "2025-11-09"].map {
            try shift($0, 600, 180)
        }
        let found = try warnings("2025-11", week)
        #expect(found.map(\.code) == ["WEEKLY_HOLIDAY_ALLOWANCE_OFF"])
        #expect(found.first?.date == "2025-11-03" && found.first?.shiftId == nil)
        for index in week.indices { week[index].hasWeeklyAllowance = true }
        #expect(try warnings("2025-11", week) == [])
        week.removeLast()
        for index in week.indices { week[index].hasWeeklyAllowance = false }
        #expect(try warnings("2025-11", week) == [])
    }

    @Test func warning_onUnpaidNightsWithFiveEmployees() throws {
        var night = try shift("2025-11-05", 1320, 180)
        #expect(try warnings("2025-11", [night], five: true).map(\.code) == ["NIGHT_ALLOWANCE_OFF"])
        #expect(try warnings("2025-11", [night]) == [])
        night.hasNightAllowance = true
        #expect(try warnings("2025-11", [night], five: true) == [])
    }

    @Test func openShifts_causeNoWarning() throws {
        #expect(try warnings("2025-11", [try shift("2025-11-05", 1320, nil, rate: 1)], five: true) == [])
    }
}
