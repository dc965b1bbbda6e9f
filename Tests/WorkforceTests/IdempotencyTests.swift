import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceDatabase
import TestKit
import Testing

@testable import Workforce

/// Repeated POSTs with an `Idempotency-Key` (MOUP contract 1.1, repeated POST).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct IdempotencyTests {
    private var world: WorkforceWorld { .current }

    private func post(_ path: String, _ body: String, key: String, by account: AccountID) async throws -> TestResponse {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await world.client(account).send(.post, path, json: body, headers: [name: key])
    }

    /// The calls of a worker that create something, by path and body.
    private func calls(_ shop: WorkplaceID) -> [(path: String, body: String)] {
        let work = WorkJSON(start: "2025-11-05T09:00", end: "2025-11-05T10:00").text
        return [
            ("/workplaces/\(shop)/workers/me/works", work),
            ("/workplaces/\(shop)/workers/me/works/start", ""),
            ("/routines", WorkforceWorld.body("오픈", alarm: "08:00")),
        ]
    }

    @Test func repeatedPost_getsSameResponse_andChangesNothing() async throws {
        let shop = try await ShiftsWorld.shop()
        for (index, call) in calls(shop.id).enumerated() {
            let first = try await post(call.path, call.body, key: "k\(index)", by: 1)
            #expect(first.status.kind == .successful, "\(call.path) \(first.text)")
            let again = try await post(call.path, call.body, key: "k\(index)", by: 1)
            #expect(again.status == first.status && again.text == first.text)
            #expect(again.headers[.location] == first.headers[.location])
        }
        #expect(try await world.count("shifts") == 2)
        #expect(try await world.count("routines") == 1)
    }

    @Test func parallelPosts_withOneKey_createOnce() async throws {
        let shop = try await ShiftsWorld.shop()
        let call = calls(shop.id)[0]
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { try await self.post(call.path, call.body, key: "same", by: 1).text }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await world.count("shifts") == 1)
    }

    @Test func keyOfAnotherRequest_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        let call = calls(shop.id)[0]
        _ = try await post(call.path, call.body, key: "k", by: 1)
        let other = WorkJSON(start: "2025-11-06T09:00", end: "2025-11-06T10:00").text
        #expect(try await post(call.path, other, key: "k", by: 1).refusal == "409 COMMON_409")
        #expect(try await post("/routines", call.body, key: "k", by: 1).refusal == "409 COMMON_409")
        // A key belongs to an account.
        #expect(try await post(call.path, other, key: "k", by: 2).status == .created)
        let long = String(repeating: "k", count: 201)
        #expect(try await post(call.path, other, key: long, by: 1).refusal == "400 COMMON_400")
    }

    /// An error is not stored: the repetition is handled anew.
    @Test func failedRequest_canBeRepeated() async throws {
        let shop = try await ShiftsWorld.shop()
        let call = calls(shop.id)[0]
        _ = try await post(call.path, call.body, key: "first", by: 1)
        #expect(try await post(call.path, call.body, key: "second", by: 1).refusal == "400 COMMON_400")
        try await TestDatabase.current.client.execute("DELETE FROM shifts")
        #expect(try await post(call.path, call.body, key: "second", by: 1).status == .created)
    }

    @Test func oldResponses_areDeleted() async throws {
        let shop = try await ShiftsWorld.shop()
        let call = calls(shop.id)[0]
        _ = try await post(call.path, call.body, key: "k", by: 1)
        let now = world.clock.now
        try await PlacesDomain.make { now + 86_399 }.requests.prune()
        #expect(try await world.count("requests") == 1)
        try await PlacesDomain.make { now + 86_401 }.requests.prune()
        #expect(try await world.count("requests") == 0)
    }
}
