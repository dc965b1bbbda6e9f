import Apps
import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Forged tokens are refused at every protected route of every app.
@Suite(.timeLimit(.minutes(5)))
struct ForgeryTests {
    private func withGateway(_ test: (TestGateway, _ service: TestUpstream, TestAuth) async throws -> Void) async throws
    {
        let auth = TestAuth()
        let service = try await TestUpstream.answering()
        // The recording service also serves auth's own routes.
        let upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
        try await TestGateway.run(
            upstreams,
            configure: {
                $0.rates.address = .unlimited
                $0.limits.refreshTime = .milliseconds(100)
            }
        ) { try await test($0, service, auth) }
    }

    private static let upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    private static let keys: [App: String] = [
        .anlaka: "SeSACKey: anlaka-dev-key\r\n", .culture: "SeSACKey: culture-dev-key\r\n",
    ]

    /// Sends requests in pipelined batches, on as few connections as possible.
    private static func statuses(
        _ requests: [(name: String, text: String)],
        at gateway: TestGateway,
        _ check: (String, RawMessage?) -> Void
    ) async throws {
        var connection = try await gateway.connect()
        var rest = requests[...]
        while !rest.isEmpty {
            let batch = rest.prefix(16)
            try await connection.send(batch.map(\.text).joined())
            for (name, _) in batch {
                let answer = await connection.readMessage()
                check(name, answer)
                rest.removeFirst()
                guard answer == nil || answer?["connection"] == ["close"] else { continue }
                // The gateway did not read the rest of the batch on this connection.
                await connection.close()
                connection = try await gateway.connect()
                break
            }
        }
        await connection.close()
    }

    @Test(arguments: App.allCases)
    func forgedAccessToken_isRefusedAtEveryRoute(_ app: App) async throws {
        try await withGateway { gateway, service, _ in
            let forgeries = try Forgeries.all(app)
            #expect(forgeries.count > 130)
            let routes = gateway.gateway.core.router.routes.filter { $0.app == app && $0.operation.access == .user }
            #expect(routes.count > 10)
            let scheme = app.hasKey ? "" : "Bearer "
            let requests = routes.flatMap { route in
                let path = route.operation.path.split(separator: "/")
                    .map { $0.hasPrefix("{") ? "1" : $0 }.joined(separator: "/")
                let method = route.operation.method.rawValue
                return forgeries.map { forgery in
                    (
                        "\(method) \(path): \(forgery.name)",
                        """
                        \(method) /\(path) HTTP/1.1\r\nHost: h\r\n\(Self.keys[app] ?? "")\
                        \(route.operation.isWebSocket ? Self.upgrade : "")Authorization: \(scheme)\(forgery.token)\r\n\r\n
                        """
                    )
                }
            }
            try await Self.statuses(requests, at: gateway) { name, answer in
                let expected = name.hasSuffix("64 KB") ? 431 : 401
                #expect(answer?.status == expected, "\(name)")
            }
            #expect(service.requests.isEmpty)
            // A valid token that is made in the same way passes.
            let path = try #require(routes.map(\.operation).first { $0.method == .get && !$0.path.contains("{") }).path
            let headers = "\(Self.keys[app] ?? "")Authorization: \(scheme)\(try Forgeries.good(app))\r\n"
            #expect(try await gateway.call(path, headers: headers)?.status == 200)
        }
    }

    @Test func forgedRefreshToken_isNotSentToAuth() async throws {
        try await withGateway { gateway, service, _ in
            let paths: [App: String] = [
                .moup: "/home", .seatcatcher: "/stations", .withsuhyeon: "/api/v1/home", .anlaka: "/v1/estates/1",
                .culture: "/v1/posts",
            ]
            for (app, path) in paths {
                let requests = try Forgeries.all(app, as: "refresh").map { forgery in
                    (
                        "\(app): \(forgery.name)",
                        "GET \(path) HTTP/1.1\r\nHost: h\r\n\(Self.keys[app] ?? "")RefreshToken: \(forgery.token)\r\n\r\n"
                    )
                }
                try await Self.statuses(requests, at: gateway) { name, answer in
                    let expected = name.hasSuffix("64 KB") ? 431 : 401
                    #expect(answer?.status == expected, "\(name)")
                }
                #expect(gateway.gateway.core.refreshes.counts.waiting == 0)
            }
            #expect(service.requests.isEmpty)
            let counts = gateway.gateway.core.refreshes.counts
            #expect(counts.refreshed + counts.refused + counts.rejected == 0)
            // A valid token is sent to auth, which does not respond here.
            let good = "RefreshToken: \(try Forgeries.good(.moup, as: "refresh"))\r\n"
            #expect(try await gateway.call("/home", headers: good)?.status == 503)
        }
    }
}
