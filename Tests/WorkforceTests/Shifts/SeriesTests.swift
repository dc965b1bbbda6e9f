import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Editing and deleting the following shifts of a series (MOUP contract 1.4, calls 36 and 40; 3A.9).
@Suite(.database(Migrations.all)) struct SeriesTests {
    private var world: WorkforceWorld { .current }

    /// Mondays and Wednesdays of three weeks: 3, 5, 10, 12, 17 and 19 November 2025.
    private let usual = WorkJSON(
        start: "2025-11-03T09:00",
        end: "2025-11-03T12:00",
        days: ["MONDAY", "WEDNESDAY"],
        until: "2025-11-19"
    )

    private func days(of worker: WorkerID) async throws -> [String] {
        try await ShiftsWorld.shifts(of: worker).map { String($0.date.description.suffix(5)) }
    }

    @Test(.service) func deletingFollowing_endsSeries() async throws {
        let shop = try await ShiftsWorld.shop()
        let ids = try await world.add(usual, at: shop.id, by: 1)
        #expect(try await world.client(1).send(.delete, "/works/recurring/\(ids[2])").status == .noContent)
        #expect(try await days(of: shop.first) == ["11-03", "11-05"])
        let rest = Recurrence(days: Weekdays([.monday, .wednesday]), until: try date("2025-11-05"))
        #expect(try await ShiftsWorld.series(of: ids[0]) == rest)
        // Without its Monday the series repeats on Wednesdays.
        #expect(try await world.client(1).send(.delete, "/works/\(ids[0])").status == .noContent)
        let wednesday = Recurrence(days: Weekdays([.wednesday]), until: try date("2025-11-05"))
        #expect(try await ShiftsWorld.series(of: ids[1]) == wednesday)
        #expect(try await world.client(9).send(.delete, "/works/recurring/\(ids[1])").status == .noContent)
        #expect(try await ShiftsWorld.count("series") == 0)
        try await ShiftAudit.check()
    }

    @Test(.service) func movedShift_keepsRuleOfSeries() async throws {
        let shop = try await ShiftsWorld.shop()
        let ids = try await world.add(usual, at: shop.id, by: 1)
        let before = try await ShiftsWorld.series(of: ids[0])
        let moved = WorkJSON(start: "2025-12-05T09:00", end: "2025-12-05T12:00")
        #expect(try await world.client(1).send(.patch, "/works/\(ids[1])", json: moved.text).status == .noContent)
        #expect(try await ShiftsWorld.series(of: ids[1]) == before)
        #expect(try await ShiftsWorld.shift(ids[1])?.seriesDate == (try date("2025-11-05")))
        try await ShiftAudit.check()
        // The moved shift counts as following at its new date.
        #expect(try await world.client(1).send(.delete, "/works/recurring/\(ids[5])").status == .noContent)
        #expect(try await days(of: shop.first) == ["11-03", "11-10", "11-12", "11-17"])
        try await ShiftAudit.check()
    }

    @Test(.service) func editingFollowing_replacesLaterShifts() async throws {
        let shop = try await ShiftsWorld.shop()
        let ids = try await world.add(usual, at: shop.id, by: 1)
        let edit = WorkJSON(
            start: "2025-11-10T13:00",
            end: "2025-11-10T15:00",
            days: ["TUESDAY", "WEDNESDAY"],
            until: "2025-11-30"
        )
        let answer = try await world.client(1).send(.patch, "/works/recurring/\(ids[2])", json: edit.text)
        #expect(answer.status == .ok)
        let new = try answer.json(WorkIDList.self).workIdList
        #expect(Set(new).isDisjoint(with: ids))
        let all = ["11-03", "11-05", "11-11", "11-12", "11-18", "11-19", "11-25", "11-26"]
        #expect(try await days(of: shop.first) == all)
        #expect(try await ShiftsWorld.shifts(of: shop.first).dropFirst(2).map(\.id) == new)
        #expect(try await ShiftsWorld.series(of: ids[0])?.until == (try date("2025-11-05")))
        #expect(try await ShiftsWorld.series(of: new[0])?.days == Weekdays([.tuesday, .wednesday]))
        try await ShiftAudit.check()
    }

    @Test func editingFollowing_keepsAttendanceAndCompletions() async throws {
        let now = try seoul("2025-11-12T09:05")
        try await WorkforceWorld.test(clock: ManualClock(now)) { [usual] world in
            let shop = try await ShiftsWorld.shop()
            let (kept, gone) = (try await ShiftsWorld.routine(of: 1), try await ShiftsWorld.routine(of: 1, name: "b"))
            var work = usual
            work.routines = [kept.id, gone.id]
            let ids = try await world.add(work, at: shop.id, by: 1)
            // Done on Monday the 10th; at work on Wednesday the 12th.
            var done = WorkJSON(start: "2025-11-10T09:00", end: "2025-11-10T12:00", routines: [kept.id, gone.id])
            done.actual = ("2025-11-10T09:00", "2025-11-10T12:01")
            #expect(try await world.client(1).send(.patch, "/works/\(ids[2])", json: done.text).status == .noContent)
            let start = "/workplaces/\(shop.id)/workers/me/works/start"
            #expect(try await world.client(1).send(.post, start).status == .noContent)
            #expect(try await ShiftsWorld.clocking(of: 1) == ids[3])
            try await ShiftsWorld.complete(kept.tasks[1], on: ids[3])
            try await ShiftsWorld.complete(gone.tasks[0], on: ids[3])
            // From the 10th on the series has Wednesdays only.
            let edit = WorkJSON(
                start: "2025-11-10T10:00",
                end: "2025-11-10T13:00",
                routines: [kept.id],
                days: ["WEDNESDAY"],
                until: "2025-11-30"
            )
            let answer = try await world.client(1).send(.patch, "/works/recurring/\(ids[2])", json: edit.text)
            let new = try answer.json(WorkIDList.self).workIdList
            #expect(try await days(of: shop.first) == ["11-03", "11-05", "11-10", "11-12", "11-19", "11-26"])
            // The Monday shift remains as a single shift.
            let monday = try #require(try await ShiftsWorld.shift(ids[2]))
            #expect((monday.series, monday.endedAt) == (nil, try seoul("2025-11-10T12:01")))
            let wednesday = try #require(try await ShiftsWorld.shift(new[0]))
            #expect((wednesday.startedAt, wednesday.startsAt) == (now, try seoul("2025-11-12T10:00")))
            #expect(try await ShiftsWorld.clocking(of: 1) == new[0])
            #expect(try await ShiftsWorld.completions(of: new[0]) == [kept.tasks[1]])
            #expect(try await ShiftsWorld.completions(of: new[1]) == [])
            let end = "/workplaces/\(shop.id)/workers/me/works/end"
            #expect(try await world.client(1).send(.patch, end).status == .noContent)
            #expect(try await ShiftsWorld.shift(new[0])?.endedAt == now)
            try await ShiftAudit.check()
        }
    }

    @Test(
        .service,
        arguments: [
            // A day before the shift that is edited.
            ("2025-11-09T09:00", ["MONDAY"], "2025-11-30", "COMMON_400"),
            ("2025-11-10T09:00", [], nil, "COMMON_400"),
            ("2025-11-10T09:00", ["MONDAY"], nil, "FIELD_422"),
            ("2025-11-10T09:00", ["SUNDAY"], "2025-11-12", "COMMON_400"),
            ("2025-11-10T09:00", ["MONDAY"], "2027-11-12", "DATA_LIMIT_400"),
            // The end is before the edited shift.
            ("2025-11-10T09:00", ["MONDAY"], "2025-11-09", "FIELD_422"),
        ]
    )
    func invalidEdit_keepsSeries(_ start: String, _ days: [String], _ until: String?, _ code: String) async throws {
        let shop = try await ShiftsWorld.shop()
        let ids = try await world.add(usual, at: shop.id, by: 1)
        let end = start.replacing("T09", with: "T12")
        let edit = WorkJSON(start: start, end: end, days: days, until: until)
        let answer = try await world.client(1).send(.patch, "/works/recurring/\(ids[2])", json: edit.text)
        #expect(try answer.json(Refusal.self).errorCode == code)
        #expect(try await ShiftsWorld.shifts(of: shop.first).map(\.id) == ids)
        #expect(try await ShiftsWorld.count("series") == 1)
    }

    @Test(.service) func editingFollowing_withOverlap_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let ids = try await world.add(usual, at: shop.id, by: 1)
        let other = WorkJSON(start: "2025-11-17T14:00", end: "2025-11-17T15:00")
        _ = try await world.add(other, at: shop.id, by: 1)
        var edit = usual
        (edit.start, edit.end) = ("2025-11-10T10:00", "2025-11-10T14:30")
        let path = "/works/recurring/\(ids[2])"
        #expect(try await world.client(1).send(.patch, path, json: edit.text).status == .badRequest)
        #expect(try await ShiftsWorld.shift(ids[2]) != nil)
        // Replaced shifts do not count as an overlap.
        edit.end = "2025-11-10T14:00"
        #expect(try await world.client(1).send(.patch, path, json: edit.text).status == .ok)
        try await ShiftAudit.check()
    }

    @Test(.service) func editingFollowing_ofSingleShift_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let single = WorkJSON(start: "2025-11-04T09:00", end: "2025-11-04T12:00")
        let id = try await world.add(single, at: shop.id, by: 1)[0]
        let path = "/works/recurring/\(id)"
        let edited = try await world.client(1).send(.patch, path, json: usual.text)
        #expect(try edited.json(Refusal.self).errorCode == "COMMON_400")
        let deleted = try await world.client(1).send(.delete, path)
        #expect(try deleted.json(Refusal.self).errorCode == "COMMON_400")
        #expect(try await world.client(1).send(.delete, "/works/recurring/999999").status == .notFound)
        #expect(try await world.client(2).send(.delete, path).status == .forbidden)
        #expect(try await ShiftsWorld.shift(id) != nil)
    }
}
