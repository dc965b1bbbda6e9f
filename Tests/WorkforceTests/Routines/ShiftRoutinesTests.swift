import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

@Suite(.database(Migrations.all)) struct ShiftRoutinesTests {
    private var world: WorkforceWorld { .current }

    private let today = CivilDate(dayNumber: 20_397)

    @Test(.service(at: "2025-11-05T09:30")) func today_listsShiftsWithRoutines() async throws {
        let place = try await world.place(of: 1)
        let (one, two) = (try await world.routine(1, "오픈"), try await world.routine(1, "마감"))
        let late = try await world.shift(place, on: today, at: 1380, minutes: 180, routines: [one])
        let early = try await world.shift(place, on: today, routines: [one, two])
        // Shifts of other days, without routines, without an end, and of another worker are not listed.
        for days in [-1, 1] { _ = try await world.shift(place, on: today + days, routines: [one]) }
        _ = try await world.shift(place, on: today, at: 1000)
        _ = try await world.shift(place, on: today, at: 1100, minutes: nil, routines: [one])
        let other = try await world.place(of: 2)
        _ = try await world.shift(other, on: today, routines: [try await world.routine(2, "오픈")])

        let answer = try await world.client(1).send(.get, "/routines/today")
        struct Body: Decodable {
            var todayWorkRoutineCountList: [Day]
            struct Day: Decodable {
                var workId: ShiftID
                var workplaceSummaryInfo: Workplace
                var startTime: String
                var endTime: String
                var workMinutes: Int
                var routineCount: Int
            }
            struct Workplace: Decodable { var workplaceId: WorkplaceID }
        }
        let days = try answer.json(Body.self).todayWorkRoutineCountList
        #expect(days.map(\.workId) == [early, late])
        #expect(days.map(\.routineCount) == [2, 1])
        #expect(days.map(\.workMinutes) == [300, 180])
        #expect(days.map(\.startTime) == ["2025-11-05T00:00:00Z", "2025-11-05T14:00:00Z"])
        #expect(days.map(\.endTime) == ["2025-11-05T05:00:00Z", "2025-11-05T17:00:00Z"])
        #expect(days.allSatisfy { $0.workplaceSummaryInfo.workplaceId == place.workplace })
    }

    @Test(arguments: [(-1, 1), (0, 0)])
    func today_beginsAtSeoulMidnight(seconds: Int, count: Int) async throws {
        let midnight = SeoulTime.instant(today + 1)
        try await WorkforceWorld.test(clock: ManualClock(midnight + Double(seconds))) { world in
            let place = try await world.place(of: 1)
            _ = try await world.shift(place, on: today, routines: [try await world.routine(1, "오픈")])
            let answer = try await world.client(1).send(.get, "/routines/today")
            #expect(answer.text.contains(#""workId""#) == (count == 1))
        }
    }

    @Test(.service) func taskCompletion_appliesToOneShift() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00", tasks: ["불 켜기", "환기"])
        let first = try await world.shift(place, on: today, routines: [routine])
        let second = try await world.shift(place, on: today + 1, routines: [routine])
        let task = try await self.entries(world, first)[0].routineTaskList?[1].taskId ?? 0
        for _ in 0..<2 {
            let answer = try await world.client(1).send(
                .put,
                "/routines/works/\(first)/tasks/\(task)/completion",
                json: #"{"completed":true}"#
            )
            #expect(answer.status == .noContent)
        }
        #expect(try await self.entries(world, first)[0].routineTaskList?.map(\.isCompleted) == [false, true])
        #expect(try await self.entries(world, second)[0].routineTaskList?.map(\.isCompleted) == [false, false])
        for _ in 0..<2 {
            let answer = try await world.client(1).send(
                .put,
                "/routines/works/\(first)/tasks/\(task)/completion",
                json: #"{"completed":false}"#
            )
            #expect(answer.status == .noContent)
        }
        #expect(try await self.entries(world, first)[0].routineTaskList?.map(\.isCompleted) == [false, false])
    }

    @Test(.service) func owner_seesRoutineTitlesOnly() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00")
        let shift = try await world.shift(place, on: today, routines: [routine])
        let seen = try await self.entries(world, shift, by: 9)
        #expect(seen == [RoutineBody(routineId: routine, routineName: "오픈", linkedWorks: [], routineTaskList: [])])
        for stranger in [2, 8] as [AccountID] {
            let answer = try await world.client(stranger).send(.get, "/routines/works/\(shift)/routines")
            #expect(try answer.refusal == "403 PERMISSION_403")
        }
    }

    @Test(.service) func invalidTaskCompletion_isRefused() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈")
        let foreign = try await world.routine(1, "다른 것")
        let shift = try await world.shift(place, on: today, routines: [routine])
        let task = try await self.task(of: foreign, world)
        func complete(_ account: AccountID, _ shift: ShiftID, _ task: RoutineTaskID, _ body: String) async throws
            -> String
        {
            try await world.client(account).send(
                .put,
                "/routines/works/\(shift)/tasks/\(task)/completion",
                json: body
            ).refusal
        }
        let yes = #"{"completed":true}"#
        #expect(try await complete(1, shift, task, yes) == "404 ROUTINE_404")
        #expect(try await complete(1, shift, 999, yes) == "404 ROUTINE_404")
        #expect(try await complete(1, 999, task, yes) == "404 WORK_404")
        let own = try await self.task(of: routine, world)
        #expect(try await complete(2, shift, own, yes) == "403 PERMISSION_403")
        #expect(try await complete(9, shift, own, yes) == "403 PERMISSION_403")
        #expect(try await complete(1, shift, own, #"{"completed":"yes"}"#) == "422 FIELD_422")
        #expect(try await complete(1, shift, own, "{}") == "422 FIELD_422")
        #expect(try await complete(1, shift, 0, yes) == "400 VARIABLE_400")
    }

    private func entries(_ world: WorkforceWorld, _ shift: ShiftID, by account: AccountID = 1) async throws
        -> [RoutineBody]
    {
        let answer = try await world.client(account).send(.get, "/routines/works/\(shift)/routines")
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(RoutineListBody.self).routineSummaryInfoList
    }

    private func task(of routine: RoutineID, _ world: WorkforceWorld) async throws -> RoutineTaskID {
        let body = try await world.client(1).send(.get, "/routines/\(routine)").json(RoutineBody.self)
        return try #require(body.routineTaskList?.first?.taskId)
    }
}
