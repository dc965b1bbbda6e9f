import Contracts
import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Workforce

@Suite struct SeriesReplacementTests {
    private func shift(_ id: ShiftID, _ day: String, isBegun: Bool = false) throws -> ShiftRecord {
        let start = try seoul("\(day)T09:00")
        return ShiftRecord(
            id: id,
            worker: 1,
            workplace: 1,
            date: try date(day),
            startsAt: start,
            restMinutes: 0,
            startedAt: isBegun ? start : nil
        )
    }

    @Test func replacement_keepsBegunShifts() throws {
        let plan = try ShiftPlan(
            from: try seoul("2025-11-03T09:00"),
            to: try seoul("2025-11-03T12:00"),
            recurrence: Recurrence(days: Weekdays([.monday, .tuesday]), until: try date("2025-11-04"))
        )
        let old = [
            try shift(1, "2025-11-03"), try shift(2, "2025-11-03", isBegun: true),
            try shift(3, "2025-11-03", isBegun: true), try shift(4, "2025-11-04"), try shift(5, "2025-11-05"),
            try shift(6, "2025-11-06", isBegun: true),
        ]
        let succession = SeriesReplacement(of: old, by: plan)
        #expect(succession.predecessors.mapValues(\.id) == [try date("2025-11-03"): 2, try date("2025-11-04"): 4])
        #expect(succession.kept == [3, 6])
    }

    @Test func clockOut_setsEndOfShift() throws {
        var shift = try shift(1, "2025-11-03")
        let start = shift.startsAt
        #expect(shift.clockedOut(at: start) == nil)
        shift.startedAt = start + 60
        let soon = try #require(shift.clockedOut(at: start + 3600))
        #expect((soon.endedAt, soon.endsAt) == (start + 3600, start + 3600))
        // The worker forgot to clock out for two days.
        let late = try #require(shift.clockedOut(at: start + 172_800))
        #expect((late.endedAt, late.endsAt) == (start + 172_800, start + 86_400))
        // The worker clocked in and out before the planned start.
        shift.startedAt = start - 600
        let early = try #require(shift.clockedOut(at: start - 300))
        #expect((early.endedAt, early.endsAt) == (start - 300, start))
        // A planned end stays.
        shift.endsAt = start + 7200
        #expect(shift.clockedOut(at: start + 60)?.endsAt == start + 7200)
        shift.endedAt = start
        #expect(shift.clockedOut(at: start) == nil)
    }
}
