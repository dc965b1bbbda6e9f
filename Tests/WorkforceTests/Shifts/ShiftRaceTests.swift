import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Races between calls for shifts.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ShiftRaceTests {
    private var world: WorkforceWorld { .current }
    private let usual = WorkJSON(
        start: "2025-11-03T09:00",
        end: "2025-11-03T12:00",
        days: ["MONDAY", "WEDNESDAY", "FRIDAY"],
        until: "2025-12-31"
    )

    /// The statuses of requests that are sent at the same time.
    private func together(
        _ requests: [@Sendable () async throws -> TestResponse]
    ) async throws -> [HTTPResponse.Status] {
        let meeting = Rendezvous(requests.count)
        return try await withThrowingTaskGroup(of: (Int, HTTPResponse.Status).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    await meeting.arrive()
                    return (index, try await request().status)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test func concurrentClockIns_beginOneShift() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        _ = try await ShiftsWorld.worker(1, at: other.id)
        let places = [shop.id, other.id, shop.id, shop.id, other.id]
        for _ in 0..<5 {
            let answers = try await together(
                places.map { place in
                    { try await world.client(1).send(.post, "/workplaces/\(place)/workers/me/works/start") }
                }
            )
            #expect(answers.filter { $0 == .created || $0 == .noContent }.count == 1)
            #expect(answers.filter { $0 == .conflict }.count == 4)
            let ends = try await together(
                places.map { place in
                    { try await world.client(1).send(.patch, "/workplaces/\(place)/workers/me/works/end") }
                }
            )
            #expect(ends.filter { $0 == .noContent }.count == 1)
            #expect(ends.filter { $0 == .notFound }.count == 4)
        }
        #expect(try await ShiftsWorld.count("shifts WHERE ended_at IS NULL") == 0)
        #expect(try await ShiftsWorld.count("clockings") == 0)
        try await ShiftAudit.check()
    }

    @Test func concurrentPlans_ofSameTime_haveOneWinner() async throws {
        let shop = try await ShiftsWorld.shop()
        let path = "/workplaces/\(shop.id)/workers/me/works"
        let batch = "/workplaces/\(shop.id)/works/batch"
        var planned = usual
        planned.workers = [shop.first]
        let json = planned.text
        let answers = try await together([
            { try await world.client(1).send(.post, path, json: usual.text) },
            { try await world.client(9).send(.post, batch, json: json) },
            { try await world.client(1).send(.post, path, json: usual.text) },
            { try await world.client(9).send(.post, batch, json: json) },
        ])
        #expect(answers.filter { $0 == .created }.count == 1)
        #expect(try await ShiftsWorld.count("series") == 1)
        #expect(try await ShiftsWorld.shifts(of: shop.first).count == 26)
        try await ShiftAudit.check()
    }

    @Test func concurrentEditsAndDeletions_stayConsistent() async throws {
        let shop = try await ShiftsWorld.shop()
        for _ in 0..<5 {
            let ids = try await world.add(usual, at: shop.id, by: 1)
            var edit = usual
            (edit.start, edit.end) = ("2025-11-10T13:00", "2025-11-10T14:00")
            let json = edit.text
            let owner = "/workplaces/\(shop.id)/workers/\(shop.first)/works/\(ids[5])"
            let single = WorkJSON(start: "2026-02-02T09:00", end: "2026-02-02T10:00").text
            let answers = try await together([
                { try await world.client(1).send(.patch, "/works/recurring/\(ids[3])", json: json) },
                { try await world.client(1).send(.delete, "/works/recurring/\(ids[1])") },
                { try await world.client(9).send(.patch, owner, json: single) },
                { try await world.client(9).send(.delete, "/works/\(ids[5])") },
                { try await world.client(1).send(.delete, "/works/recurring/\(ids[0])") },
            ])
            #expect(answers.allSatisfy { [.ok, .noContent, .notFound].contains($0) }, "\(answers)")
            try await ShiftAudit.check()
            try await ShiftsWorld.change("DELETE FROM shifts")
            try await ShiftsWorld.change("DELETE FROM series")
            try await ShiftsWorld.change("DELETE FROM months")
        }
    }

    @Test func concurrentBatchAndOffboarding_addNoShifts() async throws {
        let shop = try await ShiftsWorld.shop()
        var planned = usual
        planned.workers = [shop.second, shop.first]
        let json = planned.text
        let path = "/workplaces/\(shop.id)/works/batch"
        let meeting = Rendezvous(2)
        async let leaving: Void = {
            try await TestDatabase.current.client.transaction { transaction in
                try await WorkplaceStore().lock(worker: shop.first, in: transaction)
                await meeting.arrive()
                try await transaction.execute("UPDATE workers SET parted_at = now() WHERE id = \(shop.first)")
            }
        }()
        await meeting.arrive()
        let answer = try await world.client(9).send(.post, path, json: json)
        try await leaving
        #expect(answer.status == .ok)
        #expect(try await ShiftsWorld.shifts(of: shop.first).isEmpty)
        #expect(try await ShiftsWorld.shifts(of: shop.second).count == 26)
        try await ShiftAudit.check()
    }

    /// A task that is completed while its series is replaced stays completed.
    @Test func completionDuringReplacement_isKept() async throws {
        let shop = try await ShiftsWorld.shop()
        let routine = try await ShiftsWorld.routine(of: 1)
        let work = usual.with(routines: [routine.id])
        let ids = try await world.add(work, at: shop.id, by: 1)
        let world = world
        let replaced = try await world.database.transaction { transaction in
            let store = RoutineShiftStore()
            #expect(try await store.holds(ids[0], task: routine.tasks[0], in: transaction))
            let replacing = Task {
                try await world.client(1).send(.patch, "/works/recurring/\(ids[0])", json: work.text)
            }
            // The request waits before it copies the completions: at the deletion of the old shift it would be too late.
            try await transaction.waitUntilBlocking(statement: "%shift_routines%FOR UPDATE%")
            try await store.setCompleted(true, task: routine.tasks[0], of: ids[0], in: transaction)
            return replacing
        }
        let new = try await replaced.value.json(WorkIDList.self).workIdList
        #expect(try await ShiftsWorld.completions(of: new[0]) == [routine.tasks[0]])
    }

    /// Routines are deleted while shifts are linked to them.
    @Test func concurrentLinkAndRoutineDeletion_stayConsistent() async throws {
        let shop = try await ShiftsWorld.shop()
        for _ in 0..<5 {
            let routine = try await ShiftsWorld.routine(of: 1)
            let json = usual.with(routines: [routine.id]).text
            let ids = try await world.add(usual.with(routines: [routine.id]), at: shop.id, by: 1)
            try await ShiftsWorld.complete(routine.tasks[0], on: ids[3])
            let meeting = Rendezvous(2)
            async let going: Void = {
                await meeting.arrive()
                try await ShiftsWorld.change("DELETE FROM routines WHERE id = \(routine.id)")
            }()
            await meeting.arrive()
            let own = try await world.client(1).send(.patch, "/works/recurring/\(ids[0])", json: json)
            try await going
            #expect([.ok, .notFound].contains(own.status), "\(own.text)")
            try await ShiftsWorld.change("DELETE FROM shifts")
            try await ShiftsWorld.change("DELETE FROM series")
        }
    }
}
