import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceDatabase
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct IdempotentRequestTests {
    private var world: PaymentsWorld { .current }

    private func send(
        _ json: String,
        key: String,
        by account: AccountID = 1,
        path: String = "/v1/orders"
    ) async throws -> TestResponse {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await world.client(account).send(.post, path, json: json, headers: [name: key])
    }

    @Test func repeatedRequest_returnsStoredAnswer() async throws {
        let listing = world.list()
        let json = #"{"estate_id":"\#(listing)"}"#
        let first = try await send(json, key: "k")
        #expect(first.status == .ok)
        // The stored answer is returned although a new order would get another code.
        let code = try first.json(OrderAnswer.self).orderCode
        _ = try await world.client(1).send(.delete, "/v1/orders/\(code)")
        for _ in 0..<2 {
            let again = try await send(json, key: "k")
            #expect(again.status == .ok && again.body == first.body)
            #expect(again.headers[.contentType] == first.headers[.contentType])
        }
    }

    @Test func concurrentRequests_executeOnce() async throws {
        let json = #"{"estate_id":"\#(world.list())"}"#
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let answer = try await send(json, key: "k")
                    return "\(answer.status.code) \(answer.text)"
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers).count == 1 && answers[0].hasPrefix("200"))
    }

    @Test func key_isBoundToAccountAndRequest() async throws {
        let (one, other) = (world.list(), world.list())
        let first = try await send(#"{"estate_id":"\#(one)"}"#, key: "k")
        #expect(first.status == .ok)
        #expect(try await send(#"{"estate_id":"\#(other)"}"#, key: "k").status == .conflict)
        #expect(try await send("{}", key: "k", path: "/v1/payments/validation").status == .conflict)
        #expect(try await send(#"{"estate_id":"\#(other)"}"#, key: "k", by: 2).status == .ok)
    }

    /// A refused request has changed nothing, so the key stays usable.
    @Test func refusedRequest_isExecutedAgain() async throws {
        let impUID = try await world.pay(world.order(), status: "ready")
        let json = #"{"imp_uid":"\#(impUID)"}"#
        let path = "/v1/payments/validation"
        #expect(try await send(json, key: "k", path: path).status == .badRequest)
        try await world.change(impUID, #"{"status":"paid"}"#)
        let done = try await send(json, key: "k", path: path)
        #expect(done.status == .ok)
        #expect(try await send(json, key: "k", path: path).body == done.body)
    }

    /// The process that executed the request was killed, and its lease has ended.
    @Test func abandonedRequest_isExecutedAfterLease() async throws {
        let json = #"{"estate_id":"\#(world.list())"}"#
        #expect(try await send(json, key: "k").status == .ok)
        try await world.database.execute(
            """
            UPDATE requests SET status = NULL, body = NULL, content_type = NULL,
                busy_until = now() - interval '1 second'
            """
        )
        #expect(try await send(json, key: "k").status == .ok)
    }

    /// The outcome is unknown while another process holds the lease, so the answer says nothing about the order.
    @Test func requestInProgress_returns503WithRetryAfter() async throws {
        let json = #"{"estate_id":"\#(world.list())"}"#
        let first = try await send(json, key: "k")
        #expect(first.status == .ok)
        try await world.database.execute("UPDATE requests SET status = NULL, busy_until = now() + interval '1 minute'")
        let busy = try await send(json, key: "k")
        #expect(busy.status == .serviceUnavailable && busy.headers[.retryAfter] == "2")
        try await world.database.execute("UPDATE requests SET status = 200, busy_until = NULL")
        #expect(try await send(json, key: "k").body == first.body)
    }

    @Test func keyLongerThan200Characters_returns400() async throws {
        let json = #"{"estate_id":"\#(world.list())"}"#
        let answer = try await send(json, key: String(repeating: "k", count: 201))
        #expect(answer.status == .badRequest)
        #expect(try await send(json, key: String(repeating: "k", count: 200)).status == .ok)
    }

    @Test func prune_deletesOldAnswers() async throws {
        #expect(try await send(#"{"estate_id":"\#(world.list())"}"#, key: "k").status == .ok)
        let requests = IdempotencyKeys(database: world.database, now: { .now + 90_000 })
        try await requests.prune()
        let count = try await world.database.one("SELECT count(*) FROM requests") { try $0.decode(Int.self) }
        #expect(count == 0)
    }
}
