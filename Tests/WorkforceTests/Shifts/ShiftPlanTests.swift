import FoundationEssentials
import Testing
import Values

@testable import Workforce

@Suite struct ShiftPlanTests {
    private func plan(
        _ start: String = "2025-11-05T09:00",
        _ end: String = "2025-11-05T18:00",
        rest: Int = 0,
        memo: String? = nil,
        actual: (String?, String?) = (nil, nil)
    ) throws -> ShiftPlan {
        try ShiftPlan(
            from: try seoul(start),
            to: try seoul(end),
            restMinutes: rest,
            memo: memo,
            startedAt: try actual.0.map(seoul),
            endedAt: try actual.1.map(seoul)
        )
    }

    /// The field that the refusal of a plan names.
    private func field(_ plan: () throws -> ShiftPlan) -> Substring? {
        do {
            _ = try plan()
            return nil
        } catch WorkforceError.field(let message) {
            return message.split(separator: ":")[0]
        } catch {
            return "\(error)"
        }
    }

    @Test func plan_withinLimits_isAccepted() throws {
        #expect(try plan("2025-11-05T22:00", "2025-11-06T22:00", rest: 1440).occurrences[0].date.day == 5)
        #expect(try plan(memo: "첫 줄\n둘째 줄\t끝").memo == "첫 줄\n둘째 줄\t끝")
        #expect(try plan(memo: String(repeating: "가", count: 200)).memo?.count == 200)
        #expect(try plan(actual: ("2025-11-05T09:01", "2025-11-05T09:01")).startedAt != nil)
    }

    @Test func plan_outsideLimits_isRefused() {
        #expect(field { try plan("2025-11-05T09:00", "2025-11-05T09:00") } == "endTime")
        #expect(field { try plan("2025-11-05T09:00", "2025-11-05T08:00") } == "endTime")
        #expect(field { try plan("2025-11-05T09:00", "2025-11-06T10:00") } == "endTime")
        #expect(field { try plan(rest: -1) } == "restTimeMinutes")
        #expect(field { try plan(rest: 541) } == "restTimeMinutes")
        #expect(field { try plan(rest: .max) } == "restTimeMinutes")
        #expect(field { try plan(memo: String(repeating: "가", count: 201)) } == "memo")
        #expect(field { try plan(memo: "a\0b") } == "memo")
        #expect(field { try plan(memo: "\u{7}") } == "memo")
        #expect(field { try plan(actual: ("2025-11-05T09:00", "2025-11-05T08:59")) } == "actualEndTime")
        #expect(field { try plan("1999-11-05T09:00", "1999-11-05T18:00") } == "startTime")
        #expect(field { try plan("2100-11-05T09:00", "2100-11-05T18:00") } == "startTime")
    }

    @Test func break_mustFitWholeMinutes() throws {
        let start = try seoul("2025-11-05T09:00")
        #expect(throws: WorkforceError.self) { try ShiftPlan(from: start, to: start + 119, restMinutes: 2) }
        #expect(try ShiftPlan(from: start, to: start + 119, restMinutes: 1).restMinutes == 1)
    }

    @Test func plan_dropsFractionsOfSeconds() throws {
        let start = try seoul("2025-11-05T09:00")
        let plan = try ShiftPlan(from: start + 0.9, to: start + 60.9, startedAt: start + 0.4)
        #expect(plan.occurrences[0].startsAt == start)
        #expect(plan.occurrences[0].endsAt == start + 60)
        #expect(plan.startedAt == start)
    }

    @Test func series_dropsAttendance() throws {
        let start = try seoul("2025-11-05T09:00")
        let plan = try ShiftPlan(
            from: start,
            to: start + 3600,
            startedAt: start,
            recurrence: Recurrence(days: Weekdays([.wednesday]), until: try date("2025-11-12"))
        )
        #expect(plan.startedAt == nil)
        #expect(plan.drafts(at: WageHistory(entries: [])).map(\.startedAt) == [nil, nil])
    }

    @Test func series_beyond2099_isRefused() throws {
        let start = try seoul("2099-12-01T12:00")
        let recurrence = Recurrence(days: Weekdays(Weekday.allCases), until: try date("2100-01-05"))
        #expect(throws: WorkforceError.self) { try ShiftPlan(from: start, to: start + 60, recurrence: recurrence) }
    }

    @Test func overlap_excludesAdjacentAndEmptyShifts() throws {
        let plan = try plan("2025-11-05T09:00", "2025-11-05T18:00")
        func taken(_ start: String, _ end: String) throws -> ShiftPlan.Occurrence? {
            plan.overlap(with: [try seoul(start)..<(try seoul(end))])
        }
        #expect(try taken("2025-11-05T17:59", "2025-11-05T19:00") != nil)
        #expect(try taken("2025-11-05T10:00", "2025-11-05T11:00") != nil)
        #expect(try taken("2025-11-04T10:00", "2025-11-05T09:01") != nil)
        #expect(try taken("2025-11-05T18:00", "2025-11-05T19:00") == nil)
        #expect(try taken("2025-11-05T08:00", "2025-11-05T09:00") == nil)
        // A shift that was clocked in and out at once has no duration.
        #expect(try taken("2025-11-05T10:00", "2025-11-05T10:00") == nil)
    }
}
