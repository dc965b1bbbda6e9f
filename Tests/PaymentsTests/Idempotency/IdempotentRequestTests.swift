import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct IdempotentRequestTests {
    private func send(
        _ world: PaymentsWorld,
        _ json: String,
        key: String,
        by account: AccountID = 1,
        path: String = "/v1/orders"
    ) async throws -> TestResponse {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await world.phone(account).send(.post, path, json: json, headers: [name: key])
    }

    @Test func theSameIsAnsweredByteForByte() async throws {
        try await PaymentsWorld.test { world in
            let listing = world.list()
            let json = #"{"estate_id":"\#(listing)"}"#
            let first = try await send(world, json, key: "k")
            #expect(first.status == .ok)
            // Also when it would be another by now.
            let code = try first.json(OrderAnswer.self).orderCode
            _ = try await world.phone(1).send(.delete, "/v1/orders/\(code)")
            for _ in 0..<2 {
                let again = try await send(world, json, key: "k")
                #expect(again.status == .ok && again.body == first.body)
                #expect(again.headers[.contentType] == first.headers[.contentType])
            }
        }
    }

    @Test func atOnceItIsDoneOnce() async throws {
        try await PaymentsWorld.test { world in
            let json = #"{"estate_id":"\#(world.list())"}"#
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let answer = try await send(world, json, key: "k")
                        return "\(answer.status.code) \(answer.text)"
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).count == 1 && answers[0].hasPrefix("200"))
        }
    }

    @Test func aKeyIsItsOwnersAndForOneRequest() async throws {
        try await PaymentsWorld.test { world in
            let (one, other) = (world.list(), world.list())
            let first = try await send(world, #"{"estate_id":"\#(one)"}"#, key: "k")
            #expect(first.status == .ok)
            #expect(try await send(world, #"{"estate_id":"\#(other)"}"#, key: "k").status == .conflict)
            #expect(try await send(world, "{}", key: "k", path: "/v1/payments/validation").status == .conflict)
            #expect(try await send(world, #"{"estate_id":"\#(other)"}"#, key: "k", by: 2).status == .ok)
        }
    }

    /// What was refused has changed nothing, and may be tried again.
    @Test func whatWasRefusedIsTriedAgain() async throws {
        try await PaymentsWorld.test { world in
            let impUID = try await world.pay(world.order(), status: "ready")
            let json = #"{"imp_uid":"\#(impUID)"}"#
            let path = "/v1/payments/validation"
            #expect(try await send(world, json, key: "k", path: path).status == .badRequest)
            try await world.change(impUID, #"{"status":"paid"}"#)
            let done = try await send(world, json, key: "k", path: path)
            #expect(done.status == .ok)
            #expect(try await send(world, json, key: "k", path: path).body == done.body)
        }
    }

    /// Its process was killed while it was being answered.
    @Test func whatNobodyAnswersIsAnsweredAfterAWhile() async throws {
        try await PaymentsWorld.test { world in
            let json = #"{"estate_id":"\#(world.list())"}"#
            #expect(try await send(world, json, key: "k").status == .ok)
            try await world.database.execute(
                """
                UPDATE requests SET status = NULL, body = NULL, content_type = NULL,
                    busy_until = now() - interval '1 second'
                """
            )
            #expect(try await send(world, json, key: "k").status == .ok)
        }
    }

    /// Its process was killed a moment ago, or waits for PortOne: nobody knows yet, so nothing is said of the order.
    @Test func whatIsStillBeingAnsweredIsAskedForLater() async throws {
        try await PaymentsWorld.test { world in
            let json = #"{"estate_id":"\#(world.list())"}"#
            let first = try await send(world, json, key: "k")
            #expect(first.status == .ok)
            try await world.database.execute(
                "UPDATE requests SET status = NULL, busy_until = now() + interval '1 minute'"
            )
            let busy = try await send(world, json, key: "k")
            #expect(busy.status == .serviceUnavailable && busy.headers[.retryAfter] == "2")
            try await world.database.execute("UPDATE requests SET status = 200, busy_until = NULL")
            #expect(try await send(world, json, key: "k").body == first.body)
        }
    }

    @Test func aKeyThatIsTooLongIsRefused() async throws {
        try await PaymentsWorld.test { world in
            let json = #"{"estate_id":"\#(world.list())"}"#
            let answer = try await send(world, json, key: String(repeating: "k", count: 201))
            #expect(answer.status == .badRequest)
            #expect(try await send(world, json, key: String(repeating: "k", count: 200)).status == .ok)
        }
    }

    @Test func oldAnswersAreForgotten() async throws {
        try await PaymentsWorld.test { world in
            #expect(try await send(world, #"{"estate_id":"\#(world.list())"}"#, key: "k").status == .ok)
            let requests = IdempotencyKeys(database: world.database, now: { .now + 90_000 })
            try await requests.prune()
            let count = try await world.database.one("SELECT count(*) FROM requests") { try $0.decode(Int.self) }
            #expect(count == 0)
        }
    }
}
