import Testing
import Values

@testable import Community

@Suite struct YearlyDayTests {
    @Test(arguments: [
        (12, 31, "2026-12-30", "2026-12-31"),
        (1, 1, "2026-12-30", "2027-01-01"),
        (1, 5, "2026-12-30", "2027-01-05"),
        (12, 31, "2027-01-01", "2026-12-31"),
        (7, 1, "2026-12-30", "2026-07-01"),
        (6, 30, "2026-12-30", "2027-06-30"),
        (2, 29, "2026-12-30", "2028-02-29"),
        (2, 29, "2097-01-01", "2096-02-29"),
        (2, 29, "1900-03-01", "1904-02-29"),
    ])
    func nearestDate_isChosen(month: Int, day: Int, today: String, nearest: String) throws {
        let day = try #require(YearlyDay(month: month, day: day))
        #expect(day.nearest(to: try #require(CivilDate(today)))?.description == nearest)
    }

    @Test(arguments: [(2, 30), (4, 31), (0, 1), (13, 1), (1, 0), (1, 32)])
    func impossibleDay_isNil(month: Int, day: Int) {
        #expect(YearlyDay(month: month, day: day) == nil)
    }
}
