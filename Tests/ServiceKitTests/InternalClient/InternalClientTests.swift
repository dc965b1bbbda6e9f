import Apps
import Authentication
import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PostgresServer
import ServiceKit
import Synchronization
import TestKit
import Testing
import Tracing

@Suite(.timeLimit(.minutes(1))) struct InternalClientTests {
    private struct Fact: Codable, Equatable {
        var caller: String
        var trace: String
    }

    @Test func calls_doNotWaitForOthers() async throws {
        // Each is answered when all have arrived.
        let calls = Rendezvous(32)
        try await StubService.run { router in
            router.get("internal/fact") { _, _ in
                await calls.arrive()
                return #"{"caller":"","trace":""}"#
            }
        } _: { url in
            let client = InternalClient(to: .seats, at: [url], keys: .development(.auth))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<32 {
                    group.addTask { _ = try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(20)) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// A service that fails the first calls with a status and counts all of them.
    private final class Target: Sendable {
        let calls = Atomic<Int>(0)
        let failures: Int
        let kind: Problem.Kind

        init(failing failures: Int = 0, with kind: Problem.Kind = .unavailable) {
            self.failures = failures
            self.kind = kind
        }

        /// - Parameter addresses: the client's addresses, given the service's address.
        func run(
            addresses: @escaping @Sendable (String) -> [String] = { [$0] },
            _ body: @escaping @Sendable (InternalClient) async throws -> Void
        ) async throws {
            var configuration = HostConfiguration(.seats, port: 0)
            configuration.requestDeadline = .seconds(10)
            let application = try ServiceHost.application(
                "seats",
                configuration: configuration,
                apiDocument: Array("{}".utf8),
                services: [],
                checks: [],
                logger: .quiet,
                prepare: {},
                routes: { router in
                    router.on(.get, "internal/fact", from: .auth) { request, context -> Response in
                        try self.fail()
                        let trace = request.headers[.traceparent] ?? ""
                        return try .json(Fact(caller: context.identity?.caller.rawValue ?? "-", trace: trace))
                    }
                    router.on(.post, "internal/fact", from: .auth) { _, _ -> Response in
                        try self.fail()
                        return .empty(.noContent)
                    }
                    router.on(.post, "internal/key", from: .auth) { request, _ in request.idempotencyKey ?? "-" }
                    router.on(.get, "internal/text", from: .auth) { _, _ in "not json" }
                    router.on(.get, "internal/hang", from: .auth) { _, _ in
                        try await Task.sleep(for: .seconds(2))
                        return ""
                    }
                }
            )
            try await application.test(.live) { client in
                let address = "http://127.0.0.1:\(try #require(client.port))"
                let client = InternalClient(to: .seats, at: addresses(address), keys: .development(.auth))
                try await body(client)
            }
        }

        private func fail() throws {
            let call = calls.wrappingAdd(1, ordering: .relaxed).newValue
            if call <= failures { throw Problem(kind, message: "") }
        }
    }

    @Test func idempotencyKey_isSent() async throws {
        try await Target().run { client in
            for key in ["console-1", nil] {
                let answer = try await client.post(
                    "/internal/key",
                    json: "{}",
                    repeatable: true,
                    accepting: 400,
                    idempotencyKey: key
                )
                #expect(String(buffer: answer.body) == key ?? "-")
            }
        }
    }

    @Test func refusedConnection_failsOverToTheNextAddress() async throws {
        let absent = "http://127.0.0.1:\(try FreePort.find())"
        try await Target().run(addresses: { [absent, $0] }) { (client) async throws in
            for _ in 0..<4 {
                #expect(try await client.get("/internal/fact", as: Fact.self).caller == "auth")
                try await client.post("/internal/fact", ["a": 1], repeatable: false)
            }
        }
    }

    /// One of two replicas is gone: the budget of retries, which is ten, is for other failures.
    @Test func refusedConnections_takeNoRetries() async throws {
        let closed = try FreePort.find()
        try await Target().run(addresses: { ["http://127.0.0.1:\(closed)", $0] }) { client in
            for _ in 0..<60 { _ = try await client.get("/internal/fact", as: Fact.self) }
        }
    }

    /// Each of three hosts has two ports for a service, of which one is used.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func manyRefusedConnections_reachTheLastAddress_andDoNotOpenBreaker(host: String) async throws {
        let absent = try (0..<5).map { _ in "http://\(host):\(try FreePort.find())" }
        try await Target().run(addresses: { absent + [$0] }) { (client) async throws in
            for _ in 0..<2 {
                #expect(try await client.get("/internal/fact", as: Fact.self).caller == "auth")
                try await client.post("/internal/fact", ["a": 1], repeatable: false)
            }
        }
    }

    @Test func addressesThatAllRefuse_areUnavailable() async throws {
        let absent = try (0..<5).map { _ in "http://127.0.0.1:\(try FreePort.find())" }
        try await Target().run(addresses: { _ in absent }) { (client) async throws in
            await #expect(throws: InternalCallError.unavailable("seats")) {
                try await client.get("/internal/fact", as: Fact.self)
            }
        }
    }

    @Test func request_carriesCallerAndTrace() async throws {
        try await Target().run { client in
            let fact = try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(30))
            #expect(fact.caller == "auth")
            #expect(TraceContext(header: fact.trace) != nil)
        }
    }

    @Test func requestWithoutSpans_carriesNoTrace() async throws {
        try await Target().run { client in
            let fact = try await ServiceContext.withoutSpans {
                try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(30))
            }
            #expect(fact.trace == "")
        }
    }

    @Test func failedGet_isRetried() async throws {
        let target = Target(failing: 2)
        try await target.run { client in
            _ = try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(30))
            #expect(target.calls.load(ordering: .relaxed) == 3)
        }
    }

    @Test func failedNonRepeatablePost_isNotRetried() async throws {
        let target = Target(failing: 1)
        try await target.run { client in
            await #expect(throws: InternalCallError.unavailable("seats")) {
                try await client.post("/internal/fact", ["a": 1], repeatable: false)
            }
            #expect(target.calls.load(ordering: .relaxed) == 1)
        }
    }

    @Test func refusal_isThrownWithStatus() async throws {
        let target = Target(failing: 1, with: .notFound)
        try await target.run { client in
            await #expect(throws: InternalCallError.refused("seats", status: 404)) {
                try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(30))
            }
        }
    }

    @Test func unreadableAnswer_throwsUnreadable() async throws {
        try await Target().run { client in
            await #expect(throws: InternalCallError.unreadable("seats")) {
                try await client.get("/internal/text", as: Fact.self, deadline: .seconds(30))
            }
        }
    }

    @Test func hangingCall_endsAtDeadline() async throws {
        try await Target().run { client in
            await #expect(throws: InternalCallError.unavailable("seats")) {
                try await client.get("/internal/hang", as: Fact.self, deadline: .milliseconds(100))
            }
        }
    }

    @Test func failingTarget_isCalledLess() async throws {
        let target = Target(failing: .max)
        try await target.run { client in
            for _ in 0..<20 {
                await #expect(throws: InternalCallError.unavailable("seats")) {
                    try await client.get("/internal/fact", as: Fact.self, deadline: .seconds(30))
                }
            }
            #expect(target.calls.load(ordering: .relaxed) < 12)
        }
    }

    @Test func cancelledCalls_doNotOpenBreaker() async throws {
        try await Target().run { client in
            for _ in 0..<8 {
                let call = Task { try await client.get("/internal/hang", as: Fact.self) }
                try await Task.sleep(for: .milliseconds(10))
                call.cancel()
                await #expect(throws: CancellationError.self) { try await call.value }
            }
            #expect(try await client.get("/internal/fact", as: Fact.self).caller != "-")
        }
    }

    @Test(arguments: [
        (Problem.Kind.notFound, "404", false), (.conflict, "409", false), (.malformed, "400", true),
        (.internal, "500", true),
    ])
    func refusal_isAnErrorOfItsSpan_unlessCallersExpectIt(_ kind: Problem.Kind, _ status: String, _ isError: Bool)
        async throws
    {
        let log = SpanLog()
        try await Target(failing: .max, with: kind).run { client in
            await log.recording {
                _ = await #expect(throws: InternalCallError.self) {
                    try await client.get("/internal/fact", as: Fact.self)
                }
            }
        }
        let span = try #require(log.spans.first { $0.name == "GET seats" })
        #expect(span["http.response.status_code"] == status && span["error.type"] == status)
        #expect(span.isError == isError && span.events.isEmpty == !isError)
    }

    /// A copy does not listen while it is replaced, and its successor does.
    @Test func refusedConnection_isAnErrorOfItsSpan_atTheLastAddressOnly() async throws {
        let closed = HostConfiguration.noServer
        for count in [1, 2] {
            let log = SpanLog()
            let addresses = Array(repeating: closed, count: count)
            let client = InternalClient(to: .seats, at: addresses, keys: .development(.auth), readDeadline: .seconds(1))
            await log.recording {
                _ = await #expect(throws: InternalCallError.self) {
                    try await client.get("/internal/fact", as: Fact.self)
                }
            }
            let errors = log.spans.filter { $0.name == "GET seats" }.map(\.isError)
            #expect(errors.prefix(count) == [false, true].suffix(count))
        }
    }

    @Test func statusThatTheCallerAccepts_isNoErrorOfItsSpan() async throws {
        let log = SpanLog()
        try await Target(failing: .max, with: .malformed).run { client in
            try await log.recording {
                let answer = try await client.post("/internal/fact", json: "{}", repeatable: false, accepting: 400)
                #expect(answer.status == 400)
            }
        }
        let span = try #require(log.spans.first { $0.name == "POST seats" })
        #expect(span["http.response.status_code"] == "400" && span["error.type"] == nil && !span.isError)
    }
}
