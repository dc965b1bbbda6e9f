import Testing
import Values

@testable import Workforce

/// The expansions of MOUP contract 3G, and those at the limits.
@Suite struct RecurrenceTests {
    private func plan(
        _ start: String,
        _ end: String,
        _ days: [Weekday],
        until: String
    ) throws -> [ShiftPlan.Occurrence] {
        try ShiftPlan(
            from: try seoul(start),
            to: try seoul(end),
            recurrence: Recurrence(days: Weekdays(days), until: try date(until))
        ).occurrences
    }

    @Test func overnightSeries_endsOnFollowingDay() throws {
        let shifts = try plan("2025-10-13T22:00", "2025-10-14T06:00", [.monday, .wednesday], until: "2025-10-24")
        #expect(shifts.map(\.date.description) == ["2025-10-13", "2025-10-15", "2025-10-20", "2025-10-22"])
        #expect(shifts[3].startsAt == (try seoul("2025-10-22T22:00")))
        #expect(shifts[3].endsAt == (try seoul("2025-10-23T06:00")))
    }

    @Test func series_beginsOnFirstMatchingDay() throws {
        let shifts = try plan("2025-10-14T09:00", "2025-10-14T12:00", [.friday], until: "2025-10-31")
        #expect(shifts.map(\.date.description) == ["2025-10-17", "2025-10-24", "2025-10-31"])
        let one = try plan("2025-10-14T09:00", "2025-10-14T12:00", [.tuesday], until: "2025-10-14")
        #expect(one.map(\.date.description) == ["2025-10-14"])
    }

    @Test(arguments: [
        (Weekday.monday, "2025-10-14", "2025-10-19", WorkforceError.rule("반복 기간에 선택한 요일이 없습니다.")),
        (.tuesday, "2025-10-14", "2025-10-13", .field("repeatEndDate: 반복 종료일이 시작일보다 빠릅니다.")),
        (.monday, "2025-01-01", "2026-01-02", .limit("반복 기간은 365일까지 정할 수 있습니다.")),
    ])
    func invalidRecurrence_isRefused(_ day: Weekday, _ first: String, _ until: String, _ error: WorkforceError) throws {
        let recurrence = Recurrence(days: Weekdays([day]), until: try date(until))
        #expect(throws: error) { _ = try recurrence.dates(from: try date(first)) }
    }

    @Test func recurrence_mayLastOneYear() throws {
        let daily = Recurrence(days: Weekdays(Weekday.allCases), until: try date("2026-01-01"))
        #expect(try daily.dates(from: try date("2025-01-01")).count == 366)
    }

    @Test func weekdays_areABitSet() {
        #expect(Weekdays([.monday]).rawValue == 1)
        #expect(Weekdays([.sunday, .monday, .sunday]).rawValue == 65)
        #expect(Weekdays(rawValue: 65).days == [.monday, .sunday])
        #expect(!Weekdays(rawValue: 65).contains(.tuesday))
    }
}
