import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct ShiftMinutesTests {
    /// Start and length in minutes, break; paid minutes and those at night.
    @Test(arguments: [
        [1260, 120, 0, 120, 60], [300, 120, 0, 120, 60], [1320, 1, 0, 1, 1], [360, 1, 0, 1, 0],
        [1200, 720, 0, 720, 480],
        [1380, 180, 0, 180, 180], [1320, 480, 60, 420, 420], [1200, 480, 60, 420, 315], [0, 1440, 0, 1440, 480],
        [1439, 1440, 0, 1440, 480], [600, 0, 0, 0, 0], [600, 60, 90, 0, 0], [600, 60, -5, 60, 0],
    ])
    func minutes_excludeBreakAndCountNight(row: [Int]) throws {
        let date = try #require(CivilDate("2025-11-05"))
        let shift = Shift(id: 1, date: date, start: row[0], length: row[1], rest: row[2], rate: 10_030)
        let minutes = ShiftMinutes(shift)
        #expect([minutes.net, minutes.night] == [row[3], row[4]])
    }
}

@Suite struct PayDayTests {
    @Test(arguments: [
        ("2025-11-05", 10, 5), ("2025-11-10", 10, 0), ("2025-11-11", 10, 29), ("2026-02-10", 31, 18),
        ("2026-02-28", 31, 0), ("2026-01-31", 30, 28),
    ])
    func monthlyPayDay_isCountedInDays(today: String, day: Int, days: Int) throws {
        let terms = WageTerms(cycle: .monthly, basis: .hourly, payDay: day)
        #expect(terms.daysUntilPayDay(from: try #require(CivilDate(today))) == days)
    }

    @Test func weeklyOrMissingPayDay_isCountedInDays() throws {
        let wednesday = try #require(CivilDate("2025-11-05"))
        let friday = WageTerms(cycle: .weekly, basis: .hourly, payWeekday: .friday)
        #expect(friday.daysUntilPayDay(from: wednesday) == 2)
        #expect(friday.daysUntilPayDay(from: wednesday + 2) == 0)
        #expect(WageTerms(cycle: .daily, basis: .hourly).daysUntilPayDay(from: wednesday) == nil)
        #expect(WageTerms(cycle: .monthly, basis: .hourly).daysUntilPayDay(from: wednesday) == nil)
    }
}
