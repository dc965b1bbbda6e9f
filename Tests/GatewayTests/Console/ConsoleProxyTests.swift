import Authentication
import Contracts
import FoundationEssentials
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// The admin port passes the console's pages on, in the gateway's name, and nothing else.
@Suite(.timeLimit(.minutes(1))) struct ConsoleProxyTests {
    /// What the console was sent.
    private final class Console: Sendable {
        private let requests = Mutex<[RawMessage]>([])

        var received: [RawMessage] { requests.withLock { $0 } }

        func serve() async throws -> TestUpstream {
            try await TestUpstream.playing { connection in
                while let request = await connection.readMessage() {
                    self.requests.withLock { $0.append(request) }
                    let headers = "Set-Cookie: a=b\r\nX-Secret: s\r\nContent-Type: text/html\r\n"
                    try await connection.send(TestUpstream.ok("page", headers: headers))
                }
            }
        }
    }

    private func withGateway(
        at urls: [String],
        _ body: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws {
        let auth = try await TestAuth().serve()
        let console = ConsoleSettings(urls: urls, keys: .development(.gateway), share: 0)
        try await TestGateway.run([.auth: [auth]], configure: { $0.console = console }) { gateway in
            let connection = try await RawConnection.connect(to: gateway.adminPort)
            try await body(connection)
            await connection.close()
        }
    }

    @Test func page_isAskedForInTheGatewaysName_withTheCookieAlone() async throws {
        let console = Console()
        let upstream = try await console.serve()
        try await withGateway(at: ["http://127.0.0.1:9", "http://127.0.0.1:\(upstream.port)"]) { connection in
            for (path, passed) in [("/console/now", "/now"), ("/console/story?q=a%20b", "/story?q=a%20b")] {
                let fields = "Cookie: c=1\r\nAuthorization: Bearer t\r\nX-Madang-Identity: x\r\n"
                try await connection.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
                let answer = try #require(await connection.readMessage())
                #expect(answer.status == 200 && answer["set-cookie"] == ["a=b"] && answer["x-secret"] == [])
                let request = try #require(console.received.last)
                #expect(request.start == "GET /internal/console\(passed) HTTP/1.1")
                #expect(request["cookie"] == ["c=1"] && request["authorization"] == [])
                #expect(request["x-madang-identity"].count == 1 && request["x-madang-identity"] != ["x"])
            }
        }
    }

    /// The browser follows it, and the gateway does not.
    @Test func redirection_isPassedOn() async throws {
        let upstream = try await TestUpstream.playing { connection in
            while await connection.readMessage() != nil {
                try await connection.send(
                    "HTTP/1.1 303 See Other\r\nLocation: /console/now\r\nContent-Length: 0\r\n\r\n"
                )
            }
        }
        try await withGateway(at: ["http://127.0.0.1:\(upstream.port)"]) { connection in
            try await connection.send("GET /console HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 303 && answer["location"] == ["/console/now"])
        }
    }

    @Test(arguments: [
        "/console/../internal/traces", "/console/%2e%2e/traces", "/console/..%2ftraces", "/console/now%3Fx",
        "/consoles", "/console/a\\b",
    ])
    func pathThatLeadsElsewhere_returns404(path: String) async throws {
        let console = Console()
        let upstream = try await console.serve()
        try await withGateway(at: ["http://127.0.0.1:\(upstream.port)"]) { connection in
            try await connection.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await connection.readMessage()?.status == 404)
            #expect(console.received.isEmpty)
        }
    }

    @Test func consoleThatIsAway_isSaidToBe() async throws {
        try await withGateway(at: ["http://127.0.0.1:9"]) { connection in
            try await connection.send("GET /console/now HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 503 && answer["retry-after"] == ["5"])
            #expect(answer.body.contains("does not answer at http://127.0.0.1:9"))
            try await connection.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await connection.readMessage()?.status == 200)
        }
    }

    @Test func largeForm_isRefused() async throws {
        let console = Console()
        let upstream = try await console.serve()
        try await withGateway(at: ["http://127.0.0.1:\(upstream.port)"]) { connection in
            let body = String(repeating: "x", count: 100_000)
            try await connection.send(
                "POST /console/sign-in HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
            )
            #expect(await connection.readMessage()?.status == 413)
            #expect(console.received.isEmpty)
        }
    }
}
