import AsyncHTTPClient
import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(1))) struct ProviderConnectionTests {
    /// Runs `body` with a stub provider that echoes requests or fails.
    private func test(
        timeout: Duration = .seconds(5),
        _ body: @escaping @Sendable (ProviderConnection) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("echo") { request, _ in
            let authorization = request.headers[.authorization] ?? "-"
            return "\(request.uri.query ?? "") \(authorization)"
        }
        router.post("echo") { request, _ in
            let text = String(buffer: try await request.body.collect(upTo: 1000))
            return "\(request.headers[.contentType] ?? "-") \(text)"
        }
        router.get("status/:code") { _, context in
            Response(status: .init(code: context.parameters.get("code", as: Int.self) ?? 500))
        }
        router.get("huge") { _, _ in ByteBuffer(repeating: 32, count: 1 << 21) }
        // Starts an answer and does not finish it in time.
        router.get("stuck") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    try await Task.sleep(for: .seconds(3))
                    try await writer.finish(nil)
                }
            )
        }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            try await body(
                ProviderConnection(
                    provider: "Provider",
                    baseURL: "http://127.0.0.1:\(client.port ?? 0)",
                    http: .shared,
                    timeout: timeout
                )
            )
        }
    }

    private func text(_ answer: ProviderAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func request_escapesFields() async throws {
        try await test { connection in
            let asked = try await connection.get("/echo", query: ["b": "강 &=+%", "a": "1"], authorization: "K key")
            #expect(text(asked) == "a=1&b=%EA%B0%95%20%26%3D%2B%25 K key")
            let form = try await connection.post("/echo", form: ["x": "a b"])
            #expect(text(form) == "application/x-www-form-urlencoded;charset=utf-8 x=a%20b")
            let json = try await connection.post("/echo", json: ["x": 1])
            #expect(text(json) == #"application/json;charset=utf-8 {"x":1}"#)
        }
    }

    @Test func serverError_throwsAndRefusalIsReturned() async throws {
        try await test { connection in
            for status in [200, 400, 401, 404] {
                let answer = try await connection.get("/status/\(status)")
                #expect(answer.status == status)
            }
            for path in ["/status/429", "/status/500", "/status/503", "/huge"] {
                await #expect(throws: ProviderUnavailable(provider: "Provider")) { try await connection.get(path) }
            }
        }
    }

    @Test func incompleteAnswer_timesOut() async throws {
        try await test(timeout: .milliseconds(200)) { connection in
            await #expect(throws: ProviderUnavailable(provider: "Provider")) { try await connection.get("/stuck") }
        }
    }

    @Test func refusedConnection_throwsProviderUnavailable() async throws {
        let connection = ProviderConnection(provider: "Provider", baseURL: "http://127.0.0.1:9", http: .shared)
        await #expect(throws: ProviderUnavailable(provider: "Provider")) { try await connection.get("/") }
    }

    @Test func calls_areCountedAndTimed_byOutcome() async throws {
        let registry = MetricsRegistry()
        try await test { connection in
            await withMetricsFactory(registry) {
                for status in [200, 400, 404, 429, 503] { _ = try? await connection.get("/status/\(status)") }
                _ = try? await connection.get("/huge")
            }
        }
        let text = registry.exposition()
        for (outcome, count) in [("answered", 1), ("refused", 2), ("unavailable", 3)] {
            #expect(text.contains(#"provider_calls_total{provider="Provider",outcome="\#(outcome)"} \#(count)"#))
        }
        #expect(text.contains(#"provider_call_seconds_count{provider="Provider"} 6"#))
    }

    @Test func callThatIsGivenUp_isNotCounted() async throws {
        let registry = MetricsRegistry()
        try await test { connection in
            let call = withMetricsFactory(registry) { Task { try await connection.get("/stuck") } }
            call.cancel()
            _ = await call.result
        }
        #expect(!registry.exposition().contains("provider_calls_total"))
    }
}
