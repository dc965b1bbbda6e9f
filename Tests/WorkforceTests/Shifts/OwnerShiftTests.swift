import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Shifts that owners plan for workers (MOUP contract 1.4, calls 30, 37 and 38).
@Suite(.database(Migrations.all), .service) struct OwnerShiftTests {
    private var world: WorkforceWorld { .current }
    private let usual = WorkJSON(
        start: "2025-11-03T09:00",
        end: "2025-11-03T12:00",
        routines: nil,
        days: ["MONDAY", "WEDNESDAY"],
        until: "2025-11-12"
    )

    private struct Batch: Decodable {
        var successWorkIdList: [ShiftID]
        var failedWorkerInfoList: [Failed]

        struct Failed: Decodable, Equatable {
            var workerId: WorkerID
            var nickname: String
            var reason: String
        }
    }

    private func batch(_ work: WorkJSON, for workers: [WorkerID]) -> String {
        var work = work
        work.workers = workers
        return work.text
    }

    @Test func batch_plansForSeveralWorkers() async throws {
        let shop = try await ShiftsWorld.shop()
        let path = "/workplaces/\(shop.id)/works/batch"
        let json = batch(usual, for: [shop.first, shop.second, shop.first])
        let answer = try await world.client(9).send(.post, path, json: json)
        #expect(answer.status == .created)
        let result = try answer.json(Batch.self)
        #expect(answer.headers[.location]?.hasSuffix("/works/\(result.successWorkIdList[0])") == true)
        let shifts = try await ShiftsWorld.shifts(of: shop.first) + ShiftsWorld.shifts(of: shop.second)
        #expect(result.successWorkIdList == shifts.map(\.id))
        #expect(result.failedWorkerInfoList == [])
        #expect(try await ShiftsWorld.count("series") == 2)
        try await ShiftAudit.check()
    }

    @Test func batch_reportsFailedWorkers() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        let stranger = try await ShiftsWorld.worker(2, at: other.id)
        let pending = try await ShiftsWorld.worker(8, at: shop.id, isAccepted: false)
        _ = try await world.add(WorkJSON(start: "2025-11-12T11:00", end: "2025-11-12T13:00"), at: shop.id, by: 2)
        let workers = [shop.second, stranger, pending, -1, shop.first]
        let path = "/workplaces/\(shop.id)/works/batch"
        let answer = try await world.client(9).send(.post, path, json: batch(usual, for: workers))
        #expect(answer.status == .ok)
        let result = try answer.json(Batch.self)
        #expect(result.failedWorkerInfoList.map(\.workerId) == [shop.second, stranger, pending, -1])
        #expect(result.failedWorkerInfoList.map(\.nickname) == ["나무", "", "옆집", ""])
        #expect(result.failedWorkerInfoList[0].reason.contains("2025-11-12"))
        #expect(result.failedWorkerInfoList.allSatisfy { !$0.reason.isEmpty })
        // For each worker all shifts are added, or none.
        #expect(try await ShiftsWorld.shifts(of: shop.second).count == 1)
        #expect(try await ShiftsWorld.shifts(of: shop.first).map(\.id) == result.successWorkIdList)
        #expect(result.successWorkIdList.count == 4)
        try await ShiftAudit.check()
    }

    @Test func batch_ofHundredWorkers_succeeds() async throws {
        let shop = try await ShiftsWorld.shop()
        try await ShiftsWorld.change(
            "INSERT INTO people (account_id, nickname, role) SELECT n, '알바', 'ROLE_WORKER' FROM generate_series(100, 199) n"
        )
        try await ShiftsWorld.change(
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted)
            SELECT \(shop.id), n, true FROM generate_series(100, 199) n
            """
        )
        let workers = try await TestDatabase.current.client.all("SELECT id FROM workers WHERE account_id >= 100") {
            try $0.decode(WorkerID.self)
        }
        var work = WorkJSON(start: "2025-11-03T09:00", end: "2025-11-03T12:00", routines: nil)
        (work.days, work.until) = (DayOfWeek.allCases.map(\.rawValue), "2025-11-09")
        let path = "/workplaces/\(shop.id)/works/batch"
        let answer = try await world.client(9).send(.post, path, json: batch(work, for: workers))
        #expect(answer.status == .created)
        #expect(try answer.json(Batch.self).successWorkIdList.count == 700)
        #expect(try await ShiftsWorld.count("series") == 100)
        try await ShiftAudit.check()
    }

    @Test func invalidBatch_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        func code(_ account: AccountID, _ json: String, at workplace: WorkplaceID? = nil) async throws -> String {
            let path = "/workplaces/\(workplace ?? shop.id)/works/batch"
            return try await world.client(account).send(.post, path, json: json).json(Refusal.self).errorCode
        }
        #expect(try await code(9, batch(usual, for: [])) == "FIELD_422")
        #expect(try await code(9, usual.text) == "FIELD_422")
        #expect(try await code(9, batch(usual, for: (1...101).map { WorkerID(rawValue: $0) })) == "DATA_LIMIT_400")
        #expect(try await code(1, batch(usual, for: [shop.first])) == "PERMISSION_403")
        #expect(try await code(8, batch(usual, for: [shop.first])) == "PERMISSION_403")
        #expect(try await code(9, batch(usual, for: [shop.first]), at: 999_999) == "WORKPLACE_404")
        var never = usual
        (never.days, never.until) = (["SUNDAY"], "2025-11-05")
        #expect(try await code(9, batch(never, for: [shop.first])) == "COMMON_400")
        try await ShiftsWorld.change("UPDATE workplaces SET abandoned_at = now()")
        #expect(try await code(9, batch(usual, for: [shop.first])) == "PERMISSION_403")
        #expect(try await ShiftsWorld.count("shifts") == 0)
    }

    @Test func ownersEdit_ofOneShift_keepsRoutines() async throws {
        let shop = try await ShiftsWorld.shop()
        let routine = try await ShiftsWorld.routine(of: 1)
        var work = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T18:00")
        work.routines = [routine.id]
        let id = try await world.add(work, at: shop.id, by: 1)[0]
        try await ShiftsWorld.complete(routine.tasks[0], on: id)
        var edit = WorkJSON(start: "2025-12-05T09:00", end: "2025-12-05T10:00", routines: nil)
        edit.memo = "서둘러요"
        let path = "/workplaces/\(shop.id)/workers/\(shop.first)/works/\(id)"
        #expect(try await world.client(9).send(.patch, path, json: edit.text).status == .noContent)
        #expect(try await ShiftsWorld.shift(id)?.memo == "서둘러요")
        #expect(try await ShiftsWorld.routines(of: id) == [routine.id])
        #expect(try await ShiftsWorld.completions(of: id) == [routine.tasks[0]])
        try await ShiftAudit.check()
    }

    @Test func ownersEdit_ofFollowingShifts_keepsRoutines() async throws {
        let shop = try await ShiftsWorld.shop()
        let (one, two) = (try await ShiftsWorld.routine(of: 1), try await ShiftsWorld.routine(of: 1, name: "b"))
        var work = usual
        work.routines = [one.id]
        let ids = try await world.add(work, at: shop.id, by: 1)
        try await ShiftsWorld.change("INSERT INTO shift_routines VALUES (\(ids[3]), \(two.id))")
        try await ShiftsWorld.complete(two.tasks[0], on: ids[3])
        var edit = usual
        (edit.start, edit.end, edit.until) = ("2025-11-05T13:00", "2025-11-05T15:00", "2025-11-19")
        let path = "/workplaces/\(shop.id)/workers/\(shop.first)/works/recurring/\(ids[1])"
        let answer = try await world.client(9).send(.patch, path, json: edit.text)
        #expect(answer.status == .ok)
        // 5, 10, 12, 17 and 19 November.
        let new = try answer.json(WorkIDList.self).workIdList
        #expect(new.count == 5)
        for (index, id) in new.enumerated() {
            #expect(try await ShiftsWorld.routines(of: id) == (index == 2 ? [one.id, two.id] : [one.id]))
        }
        #expect(try await ShiftsWorld.completions(of: new[2]) == [two.tasks[0]])
        try await ShiftAudit.check()
    }

    @Test func invalidOwnersEdit_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let other = try await ShiftsWorld.workplace(of: 8, name: "옆가게")
        let id = try await world.add(usual.with(routines: []), at: shop.id, by: 1)[0]
        func code(_ account: AccountID, _ place: WorkplaceID, _ worker: WorkerID, _ shift: ShiftID) async throws
            -> [String]
        {
            var codes: [String] = []
            for path in ["works", "works/recurring"] {
                codes.append(
                    try await world.client(account).send(
                        .patch,
                        "/workplaces/\(place)/workers/\(worker)/\(path)/\(shift)",
                        json: usual.text
                    ).json(Refusal.self).errorCode
                )
            }
            return codes
        }
        #expect(try await code(1, shop.id, shop.first, id) == ["PERMISSION_403", "PERMISSION_403"])
        #expect(try await code(8, shop.id, shop.first, id) == ["PERMISSION_403", "PERMISSION_403"])
        #expect(try await code(8, other.id, shop.first, id) == ["WORKER_404", "WORKER_404"])
        #expect(try await code(8, other.id, other.worker, id) == ["COMMON_400", "COMMON_400"])
        #expect(try await code(9, shop.id, shop.second, id) == ["COMMON_400", "COMMON_400"])
        #expect(try await code(9, shop.id, shop.first, 999_999) == ["WORK_404", "WORK_404"])
        #expect(try await code(9, 999_999, shop.first, id) == ["WORKPLACE_404", "WORKPLACE_404"])
        #expect(try await code(9, shop.id, shop.first, 0) == ["VARIABLE_400", "VARIABLE_400"])
        try await ShiftsWorld.change("UPDATE workers SET parted_at = now() WHERE id = \(shop.first)")
        #expect(try await code(9, shop.id, shop.first, id) == ["WORKER_404", "WORKER_404"])
    }
}
