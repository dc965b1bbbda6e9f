import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct StaffRoutesTests {
    private var world: WorkforceWorld { .current }

    private func own(_ account: AccountID, at workplace: WorkplaceID) async throws -> WorkerID {
        try await TestDatabase.current.client.one(
            "SELECT id FROM workers WHERE account_id = \(account) AND workplace_id = \(workplace)"
        ) { try $0.decode(WorkerID.self) }
    }

    @Test func staffList_showsWorkersAndApplicants() async throws {
        let id = try await world.shared()
        let first = try await world.member(1, at: id)
        let second = try await world.applicant(2, at: id)
        let answer = try await world.client(9).send(.get, "/workplaces/\(id)/workers")
        #expect(try answer.keys() == ["workerSummaryInfoList"])
        let list = try await world.colleagues(at: id)
        #expect(list.map(\.workerId) == [first, second])
        #expect(list.map(\.nickname) == ["하루", "나무"])
        #expect(list.map(\.isAccepted) == [true, false])
        #expect(list.map(\.profileImg) == ["/i/1", "/i/2"])
        #expect(try await world.colleagues(at: id, query: "?isActiveOnly=1").count == 2)
        for (account, path, code) in [
            (9, "\(id)/workers?isActiveOnly=x", "400 ARGUMENT_400"), (9, "x/workers", "400 ARGUMENT_400"),
            (9, "0/workers", "400 VARIABLE_400"), (9, "999/workers", "404 WORKPLACE_404"),
            (8, "\(id)/workers", "403 PERMISSION_403"), (1, "\(id)/workers", "403 PERMISSION_403"),
        ] as [(AccountID, String, String)] {
            #expect(try await world.refusal(account, .get, "/workplaces/\(path)") == code, "\(path)")
        }
    }

    @Test func application_isDecidedOnce() async throws {
        let id = try await world.shared()
        let first = try await world.applicant(1, at: id)
        let path = "/workplaces/\(id)/workers"
        for _ in 0..<2 {
            #expect(try await world.client(9).send(.patch, "\(path)/\(first)/accept").status == .noContent)
        }
        #expect(try await world.places(of: 1).map(\.status) == ["ACTIVE"])
        // An accepted worker can no longer be rejected, and nothing is deleted.
        #expect(try await world.refusal(9, .delete, "\(path)/\(first)/accept") == "400 DELETE_400")
        #expect(try await world.places(of: 1).count == 1)

        let second = try await world.applicant(2, at: id)
        #expect(try await world.client(9).send(.delete, "\(path)/\(second)/accept").status == .noContent)
        #expect(try await world.places(of: 2).isEmpty)
        #expect(try await world.refusal(9, .delete, "\(path)/\(second)/accept") == "404 WORKER_404")
        #expect(try await world.refusal(9, .patch, "\(path)/\(second)/accept") == "404 WORKER_404")
        #expect(try await world.count("wages") == 1)
        // A rejected applicant may apply again.
        let again = try await world.applicant(2, at: id)
        #expect(try await world.client(9).send(.delete, "\(path)/\(again)").status == .noContent)
        #expect(try await world.places(of: 2).isEmpty)
    }

    @Test func staffChange_byOthers_isRefused() async throws {
        let id = try await world.shared()
        let elsewhere = try await world.shared("옆집", of: 8)
        let worker = try await world.applicant(1, at: id)
        for method in [HTTPRequest.Method.patch, .delete] {
            for (account, path, code) in [
                (8, "\(id)/workers/\(worker)", "403 PERMISSION_403"),
                (8, "\(elsewhere)/workers/\(worker)", "404 WORKER_404"),
                (1, "\(id)/workers/\(worker)", "403 PERMISSION_403"),
                (9, "999/workers/\(worker)", "404 WORKPLACE_404"),
                (9, "\(id)/workers/999", "404 WORKER_404"), (9, "\(id)/workers/x", "400 ARGUMENT_400"),
                (9, "\(id)/workers/-1", "400 VARIABLE_400"),
            ] as [(AccountID, String, String)] {
                #expect(try await world.refusal(account, method, "/workplaces/\(path)/accept") == code, "\(path)")
                guard method == .delete else { continue }
                #expect(try await world.refusal(account, .delete, "/workplaces/\(path)") == code, "\(path)")
            }
        }
        #expect(try await world.colleagues(at: id).map(\.isAccepted) == [false])
    }

    @Test func creatorsMembership_cannotBeRemoved() async throws {
        let id = try await world.shared()
        let worker = try await own(9, at: id)
        #expect(try await world.refusal(9, .delete, "/workplaces/\(id)/workers/\(worker)") == "400 DELETE_400")
        #expect(try await world.refusal(9, .delete, "/workplaces/\(id)/workers/\(worker)/accept") == "400 DELETE_400")
        #expect(try await world.refusal(9, .delete, "/workplaces/\(id)/workers/me") == "403 PERMISSION_403")
        #expect(
            try await world.client(9).send(.patch, "/workplaces/\(id)/workers/\(worker)/accept").status == .noContent
        )
        let personal = try await world.personal(of: 1)
        #expect(try await world.refusal(1, .delete, "/workplaces/\(personal)/workers/me") == "400 DELETE_400")
        #expect(try await world.places(of: 9).count == 1)
        #expect(try await world.places(of: 1).count == 1)
    }

    @Test(arguments: ["", "/workers/me"])
    func partedWorker_mayJoinAgain(by path: String) async throws {
        let id = try await world.shared()
        let first = try await world.member(1, at: id)
        #expect(try await world.refusal(2, .delete, "/workplaces/\(id)\(path)") == "404 WORKER_404")
        #expect(try await world.client(1).send(.delete, "/workplaces/\(id)\(path)").status == .noContent)
        #expect(try await world.refusal(1, .delete, "/workplaces/\(id)\(path)") == "404 WORKER_404")
        #expect(try await world.refusal(1, .get, "/workplaces/\(id)") == "404 WORKER_404")
        #expect(try await world.places(of: 1).isEmpty)
        #expect(try await world.colleagues(at: id).isEmpty)
        for path in ["\(first)", "\(first)/accept"] {
            #expect(try await world.refusal(9, .delete, "/workplaces/\(id)/workers/\(path)") == "404 WORKER_404")
        }
        let body = PlacesBodies.change(owner: true)
        #expect(
            try await world.refusal(9, .patch, "/workplaces/\(id)/workers/\(first)", json: body) == "404 WORKER_404"
        )
        let second = try await world.member(1, at: id)
        #expect(second != first)
        #expect(try await world.colleagues(at: id).map(\.workerId) == [second])
    }

    /// Of a concurrent acceptance and removal, each call takes effect as a whole.
    @Test func concurrentAcceptAndRemoval_leaveNoWorker() async throws {
        let id = try await world.shared()
        for _ in 0..<6 {
            let worker = try await world.applicant(1, at: id)
            let path = "/workplaces/\(id)/workers/\(worker)"
            let calls: [(AccountID, HTTPRequest.Method, String)] = [
                (9, .patch, "\(path)/accept"), (9, .delete, path), (1, .delete, "/workplaces/\(id)/workers/me"),
                (9, .delete, "\(path)/accept"),
            ]
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for call in calls { group.addTask { try await world.refusal(call.0, call.1, call.2) } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(Set(codes).isSubset(of: ["204", "404 WORKER_404", "400 DELETE_400"]), "\(codes)")
            #expect(try await world.places(of: 1).isEmpty)
        }
        let present = try await world.database.one("SELECT count(*) FROM workers WHERE parted_at IS NULL") {
            try $0.decode(Int.self)
        }
        #expect(present == 1)
    }

    @Test func deletedWorkplace_returns404ForAll() async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        _ = try await world.applicant(2, at: id)
        #expect(try await world.refusal(8, .delete, "/workplaces/\(id)") == "404 WORKER_404")
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        for account in [1, 2, 9] as [AccountID] {
            #expect(try await world.places(of: account).isEmpty)
            #expect(try await world.refusal(account, .get, "/workplaces/\(id)") == "404 WORKPLACE_404")
        }
        #expect(try await world.refusal(9, .delete, "/workplaces/\(id)") == "404 WORKPLACE_404")
        #expect(try await world.refusal(9, .get, "/workplaces/\(id)/workers") == "404 WORKPLACE_404")
        #expect(try await world.refusal(9, .patch, "/workplaces/\(id)/workers/\(worker)/accept") == "404 WORKPLACE_404")
    }
}
