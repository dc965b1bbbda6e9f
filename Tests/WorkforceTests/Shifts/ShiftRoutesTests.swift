import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Planning one's own shifts (MOUP contract 1.4, calls 29, 35 and 39).
@Suite(.database(Migrations.all), .service) struct ShiftRoutesTests {
    private var world: WorkforceWorld { .current }
    private let usual = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T18:00", rest: 60)

    private func path(_ shop: ShiftsWorld.Shop) -> String { "/workplaces/\(shop.id)/workers/me/works" }

    @Test func shift_isPlannedWithAllMembers() async throws {
        let shop = try await ShiftsWorld.shop()
        let routine = try await ShiftsWorld.routine(of: 1)
        var work = usual
        (work.memo, work.routines) = ("열쇠 챙기기", [routine.id])
        work.actual = ("2025-11-05T08:58", "2025-11-05T18:03")
        let answer = try await world.client(1).send(.post, path(shop), json: work.text)
        #expect(answer.status == .created)
        let id = try #require(try answer.json(WorkIDList.self).workIdList.first)
        #expect(answer.headers[.location]?.hasSuffix("/works/\(id)") == true)
        let shift = try #require(try await ShiftsWorld.shift(id))
        #expect((shift.worker, shift.workplace, shift.series) == (shop.first, shop.id, nil))
        #expect((shift.restMinutes, shift.memo) == (60, "열쇠 챙기기"))
        #expect(shift.startedAt == (try seoul("2025-11-05T08:58")))
        #expect(shift.endedAt == (try seoul("2025-11-05T18:03")))
        #expect(try await ShiftsWorld.routines(of: id) == [routine.id])
        try await ShiftAudit.check()
    }

    @Test func series_isPlannedOnItsDays() async throws {
        let shop = try await ShiftsWorld.shop()
        let routines = [try await ShiftsWorld.routine(of: 1).id, try await ShiftsWorld.routine(of: 1, name: "b").id]
        let work = WorkJSON(
            start: "2025-10-13T22:00",
            end: "2025-10-14T06:00",
            actual: ("2025-10-13T22:00", nil),
            routines: routines,
            days: ["WEDNESDAY", "MONDAY", "MONDAY"],
            until: "2025-10-26"
        )
        let answer = try await world.client(1).send(.post, path(shop), json: work.text)
        #expect(answer.status == .created)
        let shifts = try await ShiftsWorld.shifts(of: shop.first)
        #expect(try answer.json(WorkIDList.self).workIdList == shifts.map(\.id))
        #expect(shifts.map(\.date.description) == ["2025-10-13", "2025-10-15", "2025-10-20", "2025-10-22"])
        #expect(shifts.allSatisfy { $0.startedAt == nil && $0.seriesDate == $0.date })
        #expect(Set(shifts.map(\.series)).count == 1)
        // The last day is the one of the last shift.
        let series = try await ShiftsWorld.series(of: shifts[0].id)
        #expect(series == Recurrence(days: Weekdays([.monday, .wednesday]), until: try date("2025-10-22")))
        for shift in shifts { #expect(try await ShiftsWorld.routines(of: shift.id) == routines) }
        try await ShiftAudit.check()
    }

    @Test func owner_plansOwnShift() async throws {
        let shop = try await ShiftsWorld.shop()
        #expect(try await world.client(9).send(.post, path(shop), json: usual.text).status == .created)
        #expect(try await ShiftsWorld.shifts(of: shop.owner).count == 1)
        try await ShiftAudit.check()
    }

    @Test func shift_withoutActiveMembership_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        _ = try await ShiftsWorld.worker(1, at: other.id, isAccepted: false)
        func code(_ account: AccountID, _ workplace: WorkplaceID) async throws -> String {
            try await world.client(account).send(
                .post,
                "/workplaces/\(workplace)/workers/me/works",
                json: usual.text
            ).json(Refusal.self).errorCode
        }
        #expect(try await code(8, shop.id) == "WORKER_404")
        #expect(try await code(1, 999_999) == "WORKPLACE_404")
        #expect(try await code(1, other.id) == "PERMISSION_403")
        #expect(try await code(1, 0) == "VARIABLE_400")
        try await ShiftsWorld.change("UPDATE workplaces SET abandoned_at = now() WHERE id = \(shop.id)")
        #expect(try await code(1, shop.id) == "PERMISSION_403")
        try await ShiftsWorld.change("UPDATE workplaces SET deleted_at = now() WHERE id = \(shop.id)")
        #expect(try await code(1, shop.id) == "WORKPLACE_404")
        #expect(try await ShiftsWorld.count("shifts") == 0)
    }

    @Test func routines_mustBeOwnAndAtMostTen() async throws {
        let shop = try await ShiftsWorld.shop()
        let own = try await ShiftsWorld.routine(of: 1).id
        let foreign = try await ShiftsWorld.routine(of: 2).id
        for (routines, code) in [
            ([own, foreign], "ROUTINE_404"), ([own, own], "ROUTINE_404"), ([own, 999_999], "ROUTINE_404"),
            ([-1], "ROUTINE_404"), ((1...11).map { RoutineID(rawValue: $0) }, "DATA_LIMIT_400"),
        ] {
            var work = usual
            work.routines = routines
            let answer = try await world.client(1).send(.post, path(shop), json: work.text)
            #expect(try answer.json(Refusal.self).errorCode == code)
        }
        #expect(try await ShiftsWorld.count("shifts") == 0)
        var work = usual
        work.routines = []
        for number in 0..<10 { work.routines?.append(try await ShiftsWorld.routine(of: 1, name: "r\(number)").id) }
        #expect(try await world.client(1).send(.post, path(shop), json: work.text).status == .created)
        #expect(try await ShiftsWorld.count("shift_routines") == 10)
    }

    @Test func overlappingShifts_areRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        func plan(_ start: String, _ end: String, _ account: AccountID = 1) async throws -> HTTPResponse.Status {
            try await world.client(account).send(.post, path(shop), json: WorkJSON(start: start, end: end).text).status
        }
        #expect(try await plan("2025-11-05T22:00", "2025-11-06T06:00") == .created)
        #expect(try await plan("2025-11-06T05:59", "2025-11-06T07:00") == .badRequest)
        #expect(try await plan("2025-11-05T21:00", "2025-11-06T20:00") == .badRequest)
        #expect(try await plan("2025-11-06T06:00", "2025-11-06T07:00") == .created)
        // A colleague may work at the same time.
        #expect(try await plan("2025-11-05T22:00", "2025-11-06T06:00", 2) == .created)
        // An overlap on one day refuses the whole series.
        let series = WorkJSON(
            start: "2025-11-03T05:00",
            end: "2025-11-03T06:00",
            days: ["MONDAY", "THURSDAY"],
            until: "2025-11-30"
        )
        let answer = try await world.client(1).send(.post, path(shop), json: series.text)
        #expect(answer.status == .badRequest)
        let refusal = try answer.json(Refusal.self)
        #expect(refusal.errorCode == "COMMON_400")
        #expect(refusal.errorMessage.contains("2025-11-06"))
        #expect(try await ShiftsWorld.count("series") == 0)
        #expect(try await ShiftsWorld.shifts(of: shop.first).count == 2)
    }

    @Test func edit_replacesAllMembers() async throws {
        let shop = try await ShiftsWorld.shop()
        let (old, new) = (try await ShiftsWorld.routine(of: 1), try await ShiftsWorld.routine(of: 1, name: "b"))
        var work = usual
        (work.routines, work.memo) = ([old.id], "a")
        let id = try await world.add(work, at: shop.id, by: 1)[0]
        try await ShiftsWorld.complete(old.tasks[0], on: id)
        // The wage has changed meanwhile: an edited shift gets the new rate.
        try await ShiftsWorld.pay(.withAllowances(20_000), to: shop.first, since: CivilMonth(year: 2025, month: 12))
        // The shift moves to another month; the members of a series are ignored.
        let edit = WorkJSON(start: "2025-12-01T10:00", end: "2025-12-01T12:00", routines: [new.id], days: ["FRIDAY"])
        let answer = try await world.client(1).send(.patch, "/works/\(id)", json: edit.text)
        #expect(answer.status == .noContent)
        #expect(answer.text.isEmpty)
        let shift = try #require(try await ShiftsWorld.shift(id))
        #expect((shift.date, shift.memo, shift.restMinutes) == (try date("2025-12-01"), nil, 0))
        #expect(try await ShiftsWorld.routines(of: id) == [new.id])
        #expect(try await ShiftsWorld.completions(of: id) == [])
        let months = try await ShiftsWorld.months(of: shop.first)
        #expect(months == ["2025-12": 40_000])
        try await ShiftAudit.check()
    }

    @Test func edit_withOverlap_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let id = try await world.add(usual, at: shop.id, by: 1)[0]
        let next = WorkJSON(start: "2025-11-05T18:00", end: "2025-11-05T20:00")
        _ = try await world.add(next, at: shop.id, by: 1)
        func edit(_ start: String, _ end: String) async throws -> HTTPResponse.Status {
            let work = WorkJSON(start: start, end: end)
            return try await world.client(1).send(.patch, "/works/\(id)", json: work.text).status
        }
        #expect(try await edit("2025-11-05T10:00", "2025-11-05T18:01") == .badRequest)
        // The shift's own time does not count as an overlap.
        #expect(try await edit("2025-11-05T10:00", "2025-11-05T17:00") == .noContent)
        // A clocked overlap does not prevent an edit that keeps the times.
        try await ShiftsWorld.record("2025-11-05T16:00", "2025-11-05T17:30", of: shop.first, at: shop.id)
        #expect(try await edit("2025-11-05T10:00", "2025-11-05T17:00") == .noContent)
        #expect(try await edit("2025-11-05T10:00", "2025-11-05T17:10") == .badRequest)
    }

    @Test func deletion_isAllowedToWorkerAndOwner() async throws {
        let shop = try await ShiftsWorld.shop()
        let id = try await world.add(usual, at: shop.id, by: 1)[0]
        #expect(try await world.client(2).send(.delete, "/works/\(id)").status == .forbidden)
        #expect(try await world.client(8).send(.delete, "/works/\(id)").status == .forbidden)
        #expect(try await world.client(1).send(.delete, "/works/\(id)").status == .noContent)
        #expect(try await world.client(1).send(.delete, "/works/\(id)").json(Refusal.self).errorCode == "WORK_404")
        #expect(try await ShiftsWorld.months(of: shop.first) == [:])
        let other = try await world.add(usual, at: shop.id, by: 1)[0]
        #expect(try await world.client(9).send(.delete, "/works/\(other)").status == .noContent)
        try await ShiftAudit.check()
    }

    @Test func edit_byOthers_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let id = try await world.add(usual, at: shop.id, by: 1)[0]
        for account: AccountID in [2, 8, 9] {
            for path in ["/works/\(id)", "/works/recurring/\(id)"] {
                var work = usual
                (work.days, work.until) = (["WEDNESDAY"], "2025-11-20")
                let answer = try await world.client(account).send(.patch, path, json: work.text)
                #expect(try answer.json(Refusal.self).errorCode == "PERMISSION_403")
            }
        }
        try await ShiftsWorld.change("UPDATE workplaces SET abandoned_at = now()")
        #expect(try await world.client(1).send(.patch, "/works/\(id)", json: usual.text).status == .forbidden)
        #expect(try await world.client(1).send(.delete, "/works/\(id)").status == .forbidden)
        try await ShiftsWorld.change("UPDATE workers SET parted_at = now() WHERE id = \(shop.first)")
        #expect(try await world.client(1).send(.delete, "/works/\(id)").status == .notFound)
        #expect(try await world.client(9).send(.delete, "/works/\(id)").status == .notFound)
    }
}
