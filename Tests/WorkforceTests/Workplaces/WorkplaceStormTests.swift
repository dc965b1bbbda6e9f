import Contracts
import FoundationEssentials
import HTTPTypes
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Random concurrent calls at one workplace.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WorkplaceStormTests {
    private static let workers: [AccountID] = [1, 2, 3, 4]

    private func worker(_ account: AccountID, at id: WorkplaceID) async throws -> WorkerID {
        try await TestDatabase.current.client.optional(
            "SELECT max(id) FROM workers WHERE account_id = \(account) AND workplace_id = \(id)"
        ) { try $0.decode(WorkerID?.self) }.flatMap { $0 } ?? 999
    }

    /// One call, chosen by a number.
    private func act(_ number: Int, _ world: WorkforceWorld, _ id: WorkplaceID, _ code: String) async throws -> String {
        let account = Self.workers[number % Self.workers.count]
        let path = "/workplaces/\(id)/workers"
        let other = try await worker(account, at: id)
        let rate = PlacesBodies.salary(hourly: "\(10_000 + number)", more: #","applyToFutureWorks":true"#)
        switch number / Self.workers.count % 8 {
        case 0, 1: return try await world.refusal(account, .post, "/workplaces/join", json: PlacesBodies.join(code))
        case 2: return try await world.refusal(9, .patch, "\(path)/\(other)/accept")
        case 3: return try await world.refusal(9, .delete, "\(path)/\(other)\(number % 3 == 0 ? "/accept" : "")")
        case 4: return try await world.refusal(account, .delete, "\(path)/me")
        case 5:
            let body = PlacesBodies.change(salary: rate)
            return try await world.refusal(account, .patch, "/workplaces/\(id)", json: body)
        case 6:
            let body = PlacesBodies.change(owner: true, salary: rate)
            return try await world.refusal(9, .patch, "\(path)/\(other)", json: body)
        default:
            let body = #"{"fiveOrMoreEmployees":\#(number % 2 == 0),"ownerBasedLabelColor":"RED"}"#
            return try await world.refusal(9, .patch, "/workplaces/\(id)", json: body)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func concurrentMembershipCalls_keepPayConsistent(seed: UInt64) async throws {
        let clock = ManualClock("2025-11-20T03:00:00Z")
        let people = Dictionary(uniqueKeysWithValues: Self.workers.map { ($0, "하루\($0)") })
        try await WorkforceWorld.test(workers: people, clock: clock) { (world) async throws in
            let id = try await world.shared()
            let code = try await world.code(of: id)
            var random = SplitMix(state: seed)
            let numbers = (0..<160).map { _ in Int.random(in: 0..<10_000, using: &random) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in numbers[(lane * 20)..<(lane * 20 + 20)] {
                            let code = try await act(number, world, id, code)
                            #expect(!code.hasPrefix("5") && !code.hasPrefix("422"), "\(number): \(code)")
                            // Every present worker gets a shift of ten hours, in the past or in the future.
                            let account = Self.workers[number % Self.workers.count]
                            let day = "2025-11-\(10 + number % 19)T00:00:00Z"
                            _ = try? await world.shift(of: worker(account, at: id), start: day, hours: 10)
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<2 {
                        let status = try await world.deliver(
                            AuthEvents.AccountWithdrawn(account: 4, app: .moup),
                            from: .auth
                        )
                        #expect(status == 204)
                    }
                }
                try await group.waitForAll()
            }
            try await check(world, id)
            let before = try await months()
            try await reckonAnew()
            #expect(try await months() == before)
            #expect(try await world.refusal(9, .delete, "/workplaces/\(id)") == "204")
            try await check(world, id)
            #expect(try await present() == 0)
        }
    }

    /// A parted worker has no planned shifts, and the withdrawn one has no membership.
    private func check(_ world: WorkforceWorld, _ id: WorkplaceID) async throws {
        let planned = try await world.database.one(
            """
            SELECT count(*) FROM shifts s JOIN workers k ON k.id = s.worker_id
            WHERE k.parted_at IS NOT NULL AND s.starts_at > k.parted_at
            """
        ) { try $0.decode(Int.self) }
        #expect(planned == 0)
        let gone = try await world.database.one(
            "SELECT count(*) FROM workers WHERE account_id = 4 AND parted_at IS NULL"
        ) { try $0.decode(Int.self) }
        #expect(gone == 0)
    }

    private func present() async throws -> Int {
        try await TestDatabase.current.client.one("SELECT count(*) FROM workers WHERE parted_at IS NULL") {
            try $0.decode(Int.self)
        }
    }

    private func months() async throws -> [String] {
        try await TestDatabase.current.client.all(
            "SELECT worker_id, month, gross_pay, net_minutes FROM months ORDER BY worker_id, month"
        ) {
            let (worker, month, gross, minutes) = try $0.decode(as: (WorkerID, CivilMonth, Int, Int).self)
            return "\(worker) \(month) \(gross) \(minutes)"
        }
    }

    private func reckonAnew() async throws {
        let database = TestDatabase.current.client
        let workers = try await database.all("SELECT id FROM workers") { try $0.decode(WorkerID.self) }
        for worker in workers {
            try await database.transaction { transaction in
                let months = Set((9...12).map { CivilMonth(year: 2025, month: $0) })
                try await PayrollProjection().refresh(worker, months: months, in: transaction)
            }
        }
    }
}
