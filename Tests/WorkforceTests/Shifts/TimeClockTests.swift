import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Clocking in and out (MOUP contract 1.4, calls 41 and 42).
@Suite(.database(Migrations.all)) struct TimeClockTests {
    private var world: WorkforceWorld { .current }

    private func start(_ world: WorkforceWorld, _ shop: WorkplaceID, _ account: AccountID = 1) async throws
        -> TestResponse
    {
        try await world.client(account).send(.post, "/workplaces/\(shop)/workers/me/works/start")
    }

    private func end(_ world: WorkforceWorld, _ shop: WorkplaceID, _ account: AccountID = 1) async throws
        -> TestResponse
    {
        try await world.client(account).send(.patch, "/workplaces/\(shop)/workers/me/works/end")
    }

    @Test(.service(at: "2025-11-05T08:50")) func clockIn_beginsPlannedShift() async throws {
        let shop = try await ShiftsWorld.shop()
        let later = WorkJSON(start: "2025-11-05T09:30", end: "2025-11-05T10:00")
        _ = try await world.add(later, at: shop.id, by: 1)
        let work = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T09:30")
        let id = try await world.add(work, at: shop.id, by: 1)[0]
        world.clock.advance(by: 0.75)
        let answer = try await start(world, shop.id)
        #expect((answer.status, answer.text) == (.noContent, ""))
        #expect(try await ShiftsWorld.clocking(of: 1) == id)
        let begun = try #require(try await ShiftsWorld.shift(id))
        #expect((begun.startedAt, begun.endedAt) == (try seoul("2025-11-05T08:50"), nil))
        #expect(try await start(world, shop.id).json(Refusal.self).errorCode == "WORKING_409")
        world.clock.move(to: "2025-11-05T09:40")
        #expect(try await end(world, shop.id).status == .noContent)
        let ended = try #require(try await ShiftsWorld.shift(id))
        #expect((ended.endedAt, ended.endsAt) == (try seoul("2025-11-05T09:40"), try seoul("2025-11-05T09:30")))
        #expect(try await ShiftsWorld.clocking(of: 1) == nil)
        #expect(try await end(world, shop.id).json(Refusal.self).errorCode == "WORK_404")
        try await ShiftAudit.check()
    }

    @Test(arguments: [
        ("2025-11-05T08:00", 0.0, true), ("2025-11-05T07:59", 59.0, false), ("2025-11-05T10:00", 0.0, true),
        ("2025-11-05T10:00", 1.0, false), ("2025-11-05T10:00", 0.9, true),
    ])
    func clockIn_withinOneHour_matchesPlannedShift(_ time: String, _ seconds: Double, _ isPlanned: Bool) async throws {
        let clock = ManualClock(time)
        clock.advance(by: seconds)
        try await WorkforceWorld.test(clock: clock) { world in
            let shop = try await ShiftsWorld.shop()
            let work = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T18:00")
            _ = try await world.add(work, at: shop.id, by: 1)
            #expect(try await start(world, shop.id).status == (isPlanned ? .noContent : .created))
            #expect(try await ShiftsWorld.shifts(of: shop.first).count == (isPlanned ? 1 : 2))
            try await ShiftAudit.check()
        }
    }

    @Test(.service(at: "2025-11-05T09:00")) func clockIn_withoutMatchingPlan_createsShift() async throws {
        let shop = try await ShiftsWorld.shop()
        var done = WorkJSON(start: "2025-11-05T08:10", end: "2025-11-05T08:30")
        done.actual = ("2025-11-05T08:10", "2025-11-05T08:30")
        _ = try await world.add(done, at: shop.id, by: 1)
        // A colleague's shift, and the worker's own shift at another workplace.
        let usual = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T18:00")
        _ = try await world.add(usual, at: shop.id, by: 2)
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        let worker = try await ShiftsWorld.worker(1, at: other.id)
        _ = try await world.add(usual, at: other.id, by: 1)
        let answer = try await start(world, shop.id)
        #expect(answer.status == .created)
        let id = try answer.json(WorkIDList.self).workIdList[0]
        #expect(answer.headers[.location]?.hasSuffix("/works/\(id)") == true)
        let shift = try #require(try await ShiftsWorld.shift(id))
        #expect((shift.startsAt, shift.startedAt, shift.endsAt) == (world.clock.now, world.clock.now, nil))
        #expect((shift.worker, shift.restMinutes) == (shop.first, 0))
        // A worker can be clocked in at one workplace at a time.
        #expect(try await start(world, other.id).json(Refusal.self).errorCode == "WORKING_409")
        #expect(try await end(world, other.id).json(Refusal.self).errorCode == "WORK_404")
        #expect(try await ShiftsWorld.shifts(of: worker).allSatisfy { !$0.isBegun })
        world.clock.move(to: "2025-11-05T11:00")
        #expect(try await end(world, shop.id).status == .noContent)
        #expect(try await ShiftsWorld.shift(id)?.endsAt == world.clock.now)
        #expect(try await start(world, other.id).status == .created)
        try await ShiftAudit.check()
    }

    @Test(.service(at: "2025-11-05T09:00")) func clockOut_capsShiftAtOneDay() async throws {
        let shop = try await ShiftsWorld.shop()
        let id = try await start(world, shop.id).json(WorkIDList.self).workIdList[0]
        world.clock.move(to: "2025-11-08T09:00")
        #expect(try await end(world, shop.id).status == .noContent)
        let shift = try #require(try await ShiftsWorld.shift(id))
        #expect((shift.endsAt, shift.endedAt) == (try seoul("2025-11-06T09:00"), world.clock.now))
        // Clocking in and out at once makes a shift without a duration.
        #expect(try await start(world, shop.id).status == .created)
        #expect(try await end(world, shop.id).status == .noContent)
        try await ShiftAudit.check()
    }

    /// A worker who has entered the end by hand can still clock out.
    @Test(.service(at: "2025-11-05T09:00")) func clockOut_afterEditedEnd_keepsIt() async throws {
        let shop = try await ShiftsWorld.shop()
        let id = try await start(world, shop.id).json(WorkIDList.self).workIdList[0]
        var typed = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T12:00")
        typed.actual = ("2025-11-05T09:00", "2025-11-05T12:05")
        #expect(try await world.client(1).send(.patch, "/works/\(id)", json: typed.text).status == .noContent)
        world.clock.move(to: "2025-11-05T15:00")
        #expect(try await end(world, shop.id).status == .noContent)
        #expect(try await ShiftsWorld.shift(id)?.endedAt == (try seoul("2025-11-05T12:05")))
        #expect(try await start(world, shop.id).status == .created)
    }

    @Test(.service(at: "2025-11-05T09:00")) func deletedShiftAndOffboarding_endClocking() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        _ = try await ShiftsWorld.worker(1, at: other.id)
        let id = try await start(world, shop.id).json(WorkIDList.self).workIdList[0]
        #expect(try await world.client(1).send(.delete, "/works/\(id)").status == .noContent)
        #expect(try await end(world, shop.id).status == .notFound)
        #expect(try await start(world, shop.id).status == .created)
        // Leaving the workplace during a shift ends the clocking.
        #expect(try await world.client(1).send(.delete, "/workplaces/\(shop.id)/workers/me").status == .noContent)
        #expect(try await start(world, other.id).status == .created)
    }

    @Test(.service) func invalidClocking_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        _ = try await ShiftsWorld.worker(1, at: other.id, isAccepted: false)
        for action in [start, end] {
            #expect(try await action(world, shop.id, 9).json(Refusal.self).errorCode == "PERMISSION_403")
            #expect(try await action(world, other.id, 2).json(Refusal.self).errorCode == "WORKER_404")
            #expect(try await action(world, 999_999, 1).json(Refusal.self).errorCode == "WORKPLACE_404")
            #expect(try await action(world, 0, 1).json(Refusal.self).errorCode == "VARIABLE_400")
        }
        #expect(try await start(world, other.id, 1).json(Refusal.self).errorCode == "PERMISSION_403")
        #expect(try await start(world, shop.id, 1).status == .created)
        // At an abandoned workplace no worker may clock in, but a clocked-in worker may clock out.
        try await ShiftsWorld.change("UPDATE workplaces SET abandoned_at = now()")
        #expect(try await start(world, shop.id, 2).json(Refusal.self).errorCode == "PERMISSION_403")
        #expect(try await end(world, shop.id, 1).status == .noContent)
    }
}
