import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WorkplaceEditTests {
    private var world: WorkforceWorld { .current }

    private func row(_ id: WorkplaceID) async throws -> String {
        try await TestDatabase.current.client.one(
            """
            SELECT name, category, address, latitude, longitude, five_or_more FROM workplaces WHERE id = \(id)
            """
        ) {
            let c = try $0.decode(as: (String, String, String?, Double?, Double?, Bool).self)
            return "\(c.0) \(c.1) \(c.2 ?? "-") \(c.3 ?? 0) \(c.4 ?? 0) \(c.5)"
        }
    }

    private func colors(_ worker: WorkerID) async throws -> [String?] {
        try await TestDatabase.current.client.one("SELECT worker_color, owner_color FROM workers WHERE id = \(worker)")
        {
            let (worker, owner) = try $0.decode(String?.self, String?.self)
            return [worker, owner]
        }
    }

    @Test(.service) func ownersEdit_changesSentMembersOnly() async throws {
        let id = try await world.shared("가게")
        let some = #"{"workplaceName":"새 가게","address":null,"ownerBasedLabelColor":"RED","latitude":1.5}"#
        #expect(try await world.client(9).send(.patch, "/workplaces/\(id)", json: some).status == .noContent)
        #expect(try await row(id) == "새 가게 카페 서울 1.5 127.0 false")
        let all =
            #"{\#(PlacesBodies.common("끝", category: "기타")),"fiveOrMoreEmployees":true,"ownerBasedLabelColor":"RED"}"#
        for _ in 0..<2 {
            #expect(try await world.client(9).send(.patch, "/workplaces/\(id)", json: all).status == .noContent)
        }
        #expect(try await row(id) == "끝 기타 서울 37.5 127.0 true")
        let bad = #"{"workplaceName":"  ","ownerBasedLabelColor":"RED"}"#
        #expect(try await world.refusal(9, .patch, "/workplaces/\(id)", json: bad) == "422 FIELD_422")
        #expect(try await world.refusal(9, .patch, "/workplaces/\(id)", json: "{}") == "400 COMMON_400")
        let others = PlacesBodies.change()
        #expect(try await world.refusal(9, .patch, "/workplaces/\(id)", json: others) == "403 PERMISSION_403")
        let owners = #"{"ownerBasedLabelColor":"RED"}"#
        #expect(try await world.refusal(8, .patch, "/workplaces/\(id)", json: owners) == "404 WORKER_404")
        #expect(try await world.refusal(1, .patch, "/workplaces/\(id)", json: owners) == "403 PERMISSION_403")
    }

    @Test(.service) func workersEdit_changesOwnMembersOnly() async throws {
        let id = try await world.shared("가게")
        let worker = try await world.member(1, at: id)
        let salary = PlacesBodies.salary(hourly: "12000", more: #","dependents":3"#)
        let body = #"""
            {\#(PlacesBodies.common("훔친 가게")),"fiveOrMoreEmployees":true,
            "workerBasedLabelColor":"ORANGE","salaryUpdateRequest":\#(salary)}
            """#
        #expect(try await world.client(1).send(.patch, "/workplaces/\(id)", json: body).status == .noContent)
        #expect(try await row(id) == "가게 카페 서울 37.5 127.0 false")
        #expect(try await colors(worker) == ["ORANGE", nil])
        let detail = try await world.client(1).send(.get, "/workplaces/\(id)").text
        #expect(detail.contains(#""hourlyRate":12000"#) && detail.contains(#""dependents":3"#))
        // Members that are not sent stay unchanged.
        let plain = PlacesBodies.change(color: "BLUE")
        #expect(try await world.client(1).send(.patch, "/workplaces/\(id)", json: plain).status == .noContent)
        #expect(try await world.client(1).send(.get, "/workplaces/\(id)").text.contains(#""dependents":3"#))
        let noSalary = #"{"workerBasedLabelColor":"RED"}"#
        #expect(try await world.refusal(1, .patch, "/workplaces/\(id)", json: noSalary) == "422 FIELD_422")
        #expect(try await world.refusal(2, .patch, "/workplaces/\(id)", json: plain) == "404 WORKER_404")
    }

    /// The premiums apply from the current month on; last month's pay stays.
    @Test(.service(at: "2025-11-20T03:00:00Z")) func fiveOrMoreEmployees_appliesFromCurrentMonth() async throws {
        world.clock.move(to: "2025-10-01T03:00:00Z")
        let id = try await world.shared("가게")
        let worker = try await world.member(1, at: id)
        // Ten hours by day, in October and in November.
        try await world.shift(of: worker, start: "2025-10-15T00:00:00Z", hours: 10)
        try await world.shift(of: worker, start: "2025-11-05T00:00:00Z", hours: 10)
        world.clock.move(to: "2025-11-20T03:00:00Z")
        let body = #"{"fiveOrMoreEmployees":true,"ownerBasedLabelColor":"RED"}"#
        #expect(try await world.client(9).send(.patch, "/workplaces/\(id)", json: body).status == .noContent)
        #expect(try await world.months(of: worker) == ["2025-10 100300", "2025-11 110330"])
        let back = #"{"fiveOrMoreEmployees":false,"ownerBasedLabelColor":"RED"}"#
        #expect(try await world.client(9).send(.patch, "/workplaces/\(id)", json: back).status == .noContent)
        #expect(try await world.months(of: worker) == ["2025-10 100300", "2025-11 100300"])
        // The premiums apply to workers who join later, too.
        #expect(try await world.client(9).send(.patch, "/workplaces/\(id)", json: body).status == .noContent)
        let other = try await world.member(2, at: id)
        try await world.shift(of: other, start: "2025-11-25T00:00:00Z", hours: 10)
        #expect(try await world.months(of: other) == ["2025-11 110330"])
    }

    @Test(.service) func worker_changesOwnWage() async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        let path = "/workplaces/\(id)/workers/me"
        let body = PlacesBodies.change(color: "PURPLE", salary: PlacesBodies.salary(hourly: "11000"))
        #expect(try await world.client(1).send(.patch, path, json: body).status == .noContent)
        #expect(try await colors(worker) == ["PURPLE", nil])
        #expect(try await world.refusal(9, .patch, path, json: body) == "403 PERMISSION_403")
        #expect(try await world.refusal(2, .patch, path, json: body) == "404 WORKER_404")
        #expect(try await world.refusal(1, .patch, "/workplaces/999/workers/me", json: body) == "404 WORKPLACE_404")
        for bad in ["{}", #"{"workerBasedLabelColor":"RED"}"#, PlacesBodies.change(color: " ")] {
            #expect(try await world.refusal(1, .patch, path, json: bad) == "422 FIELD_422")
        }
    }

    @Test(.service) func owner_changesWageOfWorker() async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        let elsewhere = try await world.shared("옆집", of: 8)
        let stranger = try await world.member(2, at: elsewhere, by: 8)
        let path = "/workplaces/\(id)/workers"
        let body = PlacesBodies.change(color: "PURPLE", owner: true, salary: PlacesBodies.salary(hourly: "11000"))
        #expect(try await world.client(9).send(.patch, "\(path)/\(worker)", json: body).status == .noContent)
        #expect(try await colors(worker) == ["GREEN", "PURPLE"])
        #expect(try await world.colleagues(at: id).map(\.ownerBasedLabelColor) == ["PURPLE"])
        #expect(try await world.client(1).send(.get, "/workplaces/\(id)").text.contains(#""hourlyRate":11000"#))
        // A worker of another owner, by the paths of both workplaces.
        #expect(try await world.refusal(9, .patch, "\(path)/\(stranger)", json: body) == "404 WORKER_404")
        #expect(
            try await world.refusal(9, .patch, "/workplaces/\(elsewhere)/workers/\(stranger)", json: body)
                == "403 PERMISSION_403"
        )
        #expect(try await world.refusal(1, .patch, "\(path)/\(worker)", json: body) == "403 PERMISSION_403")
        #expect(try await world.refusal(9, .patch, "\(path)/x", json: body) == "400 ARGUMENT_400")
        #expect(try await world.refusal(9, .patch, "\(path)/0", json: body) == "400 VARIABLE_400")
        #expect(try await world.refusal(9, .patch, "\(path)/\(worker)", json: "{}") == "422 FIELD_422")
        // The owner has no wage.
        let own = try await TestDatabase.current.client.one("SELECT id FROM workers WHERE account_id = 9") {
            try $0.decode(WorkerID.self)
        }
        #expect(try await world.refusal(9, .patch, "\(path)/\(own)", json: body) == "404 SALARY_404")
        #expect(try await colors(own) == [nil, "NAVY"])
    }

    @Test(.service) func concurrentRenames_toSameName_haveOneWinner() async throws {
        var ids: [WorkplaceID] = []
        for number in 0..<6 { ids.append(try await world.shared("가게 \(number)")) }
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for id in ids {
                let body = PlacesBodies.shared("같은 이름")
                group.addTask { try await world.refusal(9, .patch, "/workplaces/\(id)", json: body) }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "204" }.count == 1)
        #expect(codes.filter { $0 == "409 WORKPLACE_NAME_409" }.count == 5)
    }
}
