import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// The records that remain after a withdrawal.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WithdrawalTests {
    private var world: WorkforceWorld { .current }

    private func withdraw(_ account: AccountID, app: App = .moup) async throws {
        let event = AuthEvents.AccountWithdrawn(account: account, app: app)
        #expect(try await world.deliver(event, from: .auth) == 204)
    }

    private func erased() async throws -> [AccountID] {
        try await TestDatabase.current.client.all(
            "SELECT body FROM outbox WHERE name = \(WorkforceEvents.AccountErased.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<WorkforceEvents.AccountErased>.self).value.account }
    }

    /// Events that arrive after the withdrawal do not restore the name.
    @Test(.service) func withdrawnUser_afterLateEvents_staysAnonymous() async throws {
        for _ in 0..<2 { try await withdraw(1) }
        // The service has not seen this account before.
        try await withdraw(77)
        let event = AuthEvents.ProfileChanged(
            account: 1,
            app: .moup,
            nickname: "하루",
            image: "/i/1",
            tags: nil,
            role: "ROLE_WORKER"
        )
        #expect(try await world.deliver(event, from: .auth) == 204)
        let registered = AuthEvents.AccountRegistered(account: 77, app: .moup, nickname: "늦음", image: nil)
        #expect(try await world.deliver(registered, from: .auth) == 204)
        let people = try await world.database.all(
            """
            SELECT account_id, nickname, image, role FROM people WHERE withdrawn_at IS NOT NULL ORDER BY account_id
            """
        ) {
            let (account, nickname, image, role) = try $0.decode(as: (AccountID, String, String?, String?).self)
            return "\(account) '\(nickname)' \(image ?? "-") \(role ?? "-")"
        }
        #expect(people == ["1 '' - ROLE_WORKER", "77 '' - -"])
        #expect(try await erased() == [1, 1, 77])
        #expect(
            try await world.refusal(1, .post, "/workplaces", json: PlacesBodies.personal("n"))
                == "403 PERMISSION_403"
        )
        #expect(try await world.refusal(1, .get, "/workplaces") == "404 USER_404")
    }

    @Test(.service) func withdrawal_fromOtherApp_isIgnored() async throws {
        try await withdraw(1, app: .anlaka)
        #expect(try await erased() == [])
        _ = try await world.personal(of: 1)
    }

    @Test(.service) func withdrawal_erasesPersonalData() async throws {
        let id = try await world.personal("가", of: 1)
        let gone = try await world.personal("나", of: 1)
        _ = try await world.personal("다", of: 2)
        let worker = try await world.database.one("SELECT id FROM workers WHERE workplace_id = \(id)") {
            try $0.decode(WorkerID.self)
        }
        let shift = try await world.shift(of: worker, start: "2025-11-05T03:00:00Z", isClocked: true)
        #expect(try await world.client(1).send(.delete, "/workplaces/\(gone)").status == .noContent)
        try await world.database.execute(
            """
            WITH routine AS (INSERT INTO routines (account_id, name) VALUES (1, '청소'), (2, '청소') RETURNING id),
            task AS (INSERT INTO routine_tasks (routine_id, content, order_index) SELECT id, 'a', 0 FROM routine)
            INSERT INTO shift_routines (shift_id, routine_id) SELECT \(shift), id FROM routine
            """
        )
        #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/000000") == "404 WORKPLACE_404")
        try await withdraw(1)
        for (table, count) in [
            ("workplaces", 1), ("workers", 1), ("wages", 1), ("shifts", 0), ("months", 0), ("clockings", 0),
            ("routines", 1), ("routine_tasks", 1), ("shift_routines", 0), ("failed_lookups", 0),
        ] { #expect(try await world.count(table) == count, "\(table)") }
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func ownerWithdrawal_keepsWorkersRecords() async throws {
        let id = try await world.shared("가게")
        let worker = try await world.member(1, at: id)
        _ = try await world.applicant(2, at: id)
        try await world.shift(of: worker, start: "2025-11-05T03:00:00Z")
        try await world.shift(of: worker, start: "2025-11-25T03:00:00Z")
        let code = try await world.code(of: id)
        for _ in 0..<2 { try await withdraw(9) }

        #expect(try await world.places(of: 1).map(\.status) == ["OWNER_WITHDRAWN"])
        #expect(try await world.places(of: 2).isEmpty)
        #expect(try await world.months(of: worker) == ["2025-11 160480"])
        #expect(try await world.client(1).send(.get, "/workplaces/\(id)").status == .ok)
        #expect(try await world.refusal(2, .get, "/workplaces/invite-codes/\(code)") == "404 WORKPLACE_404")
        #expect(try await world.count("invite_codes") == 0)
        let change = PlacesBodies.change()
        #expect(try await world.refusal(1, .patch, "/workplaces/\(id)", json: change) == "403 PERMISSION_403")
        #expect(
            try await world.refusal(1, .patch, "/workplaces/\(id)/workers/me", json: change) == "403 PERMISSION_403"
        )
        for (method, path) in [(HTTPRequest.Method.get, ""), (.patch, "/\(worker)/accept"), (.delete, "/\(worker)")] {
            #expect(try await world.refusal(9, method, "/workplaces/\(id)/workers\(path)") == "403 PERMISSION_403")
        }
        #expect(try await world.client(1).send(.delete, "/workplaces/\(id)").status == .noContent)
        #expect(try await world.months(of: worker) == ["2025-11 80240"])
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func workerWithdrawal_keepsAnonymousRecords() async throws {
        let id = try await world.shared("가게")
        // The worker left earlier: the withdrawal does not list that row again.
        _ = try await world.member(1, at: id)
        #expect(try await world.client(1).send(.delete, "/workplaces/\(id)").status == .noContent)
        let worker = try await world.member(1, at: id)
        try await world.shift(of: worker, start: "2025-11-05T03:00:00Z")
        try await world.shift(of: worker, start: "2025-11-25T03:00:00Z")
        let other = try await world.shared("다른 가게")
        _ = try await world.applicant(1, at: other)
        try await withdraw(1)

        let list = try await world.colleagues(at: id)
        #expect(list.map(\.workerId) == [worker])
        #expect(list.map(\.nickname) == ["탈퇴한 근무자"])
        #expect(list.map(\.profileImg) == [nil])
        #expect(try await world.colleagues(at: id, query: "?isActiveOnly=true").isEmpty)
        #expect(try await world.colleagues(at: other).isEmpty)
        #expect(try await world.months(of: worker) == ["2025-11 80240"])
        let change = PlacesBodies.change(owner: true)
        let path = "/workplaces/\(id)/workers/\(worker)"
        #expect(try await world.refusal(9, .patch, path, json: change) == "404 WORKER_404")
        #expect(try await world.refusal(9, .patch, "\(path)/accept") == "404 WORKER_404")
        // The owner may remove the worker from the list; the pay stays.
        #expect(try await world.client(9).send(.delete, path).status == .noContent)
        #expect(try await world.refusal(9, .delete, path) == "404 WORKER_404")
        #expect(try await world.colleagues(at: id).isEmpty)
        #expect(try await world.months(of: worker) == ["2025-11 80240"])
    }

    @Test(.service) func withdrawal_alertsOthersWithoutName() async throws {
        let domain = PlacesDomain.make()
        let id = try await world.shared("가게")
        _ = try await world.member(1, at: id)
        _ = try await world.applicant(2, at: id)
        func withdraw(_ account: AccountID) async throws {
            try await world.database.transaction { try await domain.withdrawal.withdraw(account, in: $0) }
        }
        // Discards the alerts of joining.
        _ = try await PlacesDomain.taken()
        for _ in 0..<2 { try await withdraw(1) }
        #expect(try await PlacesDomain.taken() == ["->9 WORKER_LEFT 탈퇴한 근무자|가게"])
        for _ in 0..<2 { try await withdraw(9) }
        #expect(try await PlacesDomain.taken() == ["->2 INVITE_REJECTED 가게"])
    }

    /// A call concurrent with the withdrawal either precedes it or fails.
    @Test(.service) func concurrentWithdrawalAndJoins_leaveNoWorker() async throws {
        let id = try await world.shared("가게", of: 8)
        let code = PlacesBodies.join(try await world.code(of: id, by: 8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let body = PlacesBodies.personal("가게 \(number)")
                    let code = try await world.refusal(1, .post, "/workplaces", json: body)
                    #expect(["201", "403 PERMISSION_403", "404 USER_404"].contains(code), "\(code)")
                }
            }
            group.addTask {
                let answer = try await world.refusal(1, .post, "/workplaces/join", json: code)
                #expect(["201", "403 PERMISSION_403", "404 USER_404"].contains(answer), "\(answer)")
            }
            group.addTask { try await withdraw(1) }
            try await group.waitForAll()
        }
        let left = try await world.database.one("SELECT count(*) FROM workers WHERE account_id = 1") {
            try $0.decode(Int.self)
        }
        #expect(left == 0)
        #expect(try await world.count("workplaces") == 1)
    }
}
