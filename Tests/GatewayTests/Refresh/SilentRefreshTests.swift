import Apps
import Authentication
import Contracts
import Glibc
import NIOCore
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// Requests with a refresh token and without a valid access token.
@Suite(.timeLimit(.minutes(1)))
struct SilentRefreshTests {
    /// A gateway with an auth service that issues the next generation, and one service for all other routes.
    static func withGateway(
        refreshing: TestAuth.Refreshing? = nil,
        configure: @escaping (inout GatewayConfiguration) -> Void = { _ in },
        _ test: (TestGateway, _ service: TestUpstream, TestAuth) async throws -> Void
    ) async throws {
        let auth = TestAuth(refreshing: refreshing ?? { try renewed($0.app) })
        let service = try await TestUpstream.answering { _ in
            TestUpstream.ok("{}", headers: "Cache-Control: public, max-age=60\r\nX-Access-Token: of-the-service\r\n")
        }
        var upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
        upstreams[.auth] = [try await auth.serve()]
        try await TestGateway.run(
            upstreams,
            configure: {
                // The outcomes of these tests are reused however long a busy machine takes for the next request.
                $0.limits.refreshReuse = .seconds(60)
                configure(&$0)
            },
            test: { try await test($0, service, auth) }
        )
    }

    /// The tokens that auth issues.
    static func renewed(_ app: App, generation: Int = 1) throws -> AuthAPI.Refreshed {
        AuthAPI.Refreshed(
            tokens: AuthAPI.Refreshed.Tokens(
                accessToken: try TestGateway.key.token(app) { $0.gen = generation },
                refreshToken: "successor",
                session: "s1",
                refreshExpiresAt: Int64(time(nil)) + 86_400
            )
        )
    }

    static func access(_ app: App = .seatcatcher, for seconds: Int64) throws -> String {
        try TestGateway.key.token(app) { $0.exp = Int64(time(nil)) + seconds }
    }

    static func refresh(_ app: App = .seatcatcher, session: String = "s1", for seconds: Int64 = 3600) throws -> String {
        try TestGateway.key.token(app) {
            $0.typ = "refresh"
            $0.sid = session
            $0.exp = Int64(time(nil)) + seconds
        }
    }

    @Test(arguments: ["RefreshToken", "X-Refresh-Token", "x-refresh-token"])
    func expiredToken_isRefreshed_andRequestForwarded(_ name: String) async throws {
        try await Self.withGateway { gateway, service, auth in
            let refresh = try Self.refresh()
            for access in [try Self.access(for: -31), try Self.access(for: 20), nil] {
                let answer = try #require(
                    await gateway.call(
                        "/stations",
                        token: access,
                        headers: "\(name): \(refresh)\r\nUser-Agent: App/1\r\n"
                    )
                )
                #expect(answer.status == 200)
                #expect(answer["x-access-token"].count == 1)
                #expect(answer["x-refresh-token"] == ["successor"])
                #expect(answer["cache-control"] == ["no-store"])
                #expect(answer["set-cookie"].isEmpty)
                let request = try #require(service.requests.last)
                #expect(request["x-madang-identity"].first?.contains(".42.s1.") == true)
                for header in ["authorization", "refreshtoken", "x-refresh-token"] { #expect(request[header].isEmpty) }
            }
            // The outcome of the first refresh is reused by the other two.
            #expect(auth.refreshes.count == 1)
            let asked = AuthAPI.Refresh(
                app: .seatcatcher,
                refreshToken: refresh,
                address: "127.0.0.1",
                userAgent: "App/1"
            )
            #expect(auth.refreshes.first == asked)
        }
    }

    @Test func validToken_isNotRefreshed() async throws {
        try await Self.withGateway { gateway, service, auth in
            let headers = "RefreshToken: \(try Self.refresh())\r\n"
            let answer = try #require(await gateway.call("/stations", token: Self.access(for: 40), headers: headers))
            #expect(answer.status == 200 && answer["x-access-token"].isEmpty)
            #expect(answer["cache-control"] == ["public, max-age=60"])
            #expect(auth.refreshes.isEmpty)
            #expect(service.requests.last?["refreshtoken"].isEmpty == true)
        }
    }

    @Test func invalidTokens_areNotRefreshed() async throws {
        try await Self.withGateway { gateway, service, auth in
            let good = "RefreshToken: \(try Self.refresh())\r\n"
            let accesses = [
                "rubbish", try TestKey("k1").token { $0.exp = 1 }, try Self.access(.moup, for: -31), try Self.refresh(),
            ]
            for access in accesses {
                #expect(try await gateway.call("/stations", token: access, headers: good)?.status == 401)
            }
            #expect(try await gateway.call("/stations", headers: good + "Authorization: Basic x\r\n")?.status == 401)
            let expired = try Self.access(for: -31)
            let refreshes = [
                "rubbish", try TestKey("k1").token { $0.typ = "refresh" }, try Self.refresh(.moup),
                try Self.access(for: 3600), try Self.refresh(session: "another"), try Self.refresh(for: -1),
            ]
            for refresh in refreshes {
                let headers = "X-Refresh-Token: \(refresh)\r\n"
                #expect(try await gateway.call("/stations", token: expired, headers: headers)?.status == 401)
                // A request with a valid access token is still forwarded.
                let good = try await gateway.call("/stations", token: Self.access(for: 20), headers: headers)
                #expect(good?.status == 200)
            }
            #expect(auth.refreshes.isEmpty)
            #expect(service.requests.count == refreshes.count)
        }
    }

    @Test func refusalThatEndsTheSession_isFollowedByRefusals() async throws {
        let ended = AuthAPI.Revocations.Revocation(session: "s1", cause: .ended, until: .max / 2)
        let refusing: TestAuth.Refreshing = { _ in AuthAPI.Refreshed(refusal: .invalid, ended: ended) }
        try await Self.withGateway(refreshing: refusing) { gateway, _, _ in
            let good = try Self.access(for: 3600)
            #expect(try await gateway.call("/stations", token: good)?.status == 200)
            let headers = "RefreshToken: \(try Self.refresh())\r\n"
            let refused = try await gateway.call("/stations", token: Self.access(for: -31), headers: headers)
            #expect(refused?.status == 401)
            #expect(try await gateway.call("/stations", token: good)?.status == 401)
        }
    }

    /// A page of another site cannot use the cookie; `madang` is the Host of these requests.
    @Test(arguments: [
        ("", true), ("Origin: https://madang\r\n", true), ("Origin: http://MADANG:8080\r\n", true),
        ("Sec-Fetch-Site: same-origin\r\n", true), ("Sec-Fetch-Site: none\r\n", true),
        ("Origin: https://evil.example\r\n", false), ("Origin: null\r\n", false),
        ("Origin: https://madang.evil\r\n", false),
        ("Sec-Fetch-Site: cross-site\r\n", false), ("Sec-Fetch-Site: same-site\r\n", false),
        ("Origin: https://evil.example\r\nSec-Fetch-Site: same-origin\r\n", false),
    ])
    func refreshTokenInCookie_isUsedBySameOriginOnly(headers: String, isUsed: Bool) async throws {
        try await Self.withGateway { gateway, _, _ in
            let token = try Self.refresh(.anlaka)
            let key = "SeSACKey: anlaka-dev-key\r\n"
            let cookie = "\(key)\(headers)Cookie: refresh_token=\(token)\r\n"
            #expect(try await gateway.call("/v1/estates/1", headers: cookie)?.status == (isUsed ? 200 : 401))
            // A header is not added by browsers.
            let header = "\(key)\(headers)RefreshToken: \(token)\r\n"
            #expect(try await gateway.call("/v1/estates/1", headers: header)?.status == 200)
        }
    }

    @Test func refreshTokenInCookie_isReplacedInCookie() async throws {
        try await Self.withGateway(configure: { $0.environment = .production }) { gateway, service, _ in
            let cookie = "Cookie: a=1; refresh_token=\(try Self.refresh(.anlaka)); b=2\r\nSeSACKey: anlaka-dev-key\r\n"
            let answer = try #require(await gateway.call("/v1/estates/1", headers: cookie))
            #expect(answer.status == 200)
            let set = try #require(answer["set-cookie"].first)
            for part in ["refresh_token=successor; ", "Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=86"] {
                #expect(set.contains(part), "\(part)")
            }
            #expect(answer["x-refresh-token"] == ["successor"])
            #expect(service.requests.last?["cookie"] == ["a=1; b=2"])
        }
    }

    @Test func refusedRequest_withoutItsBody_isClosed() async throws {
        let refuse: TestAuth.Refreshing = { _ in AuthAPI.Refreshed(refusal: .invalid) }
        let configure: @Sendable (inout GatewayConfiguration) -> Void = { $0.limits.bodyTime = .milliseconds(100) }
        try await Self.withGateway(refreshing: refuse, configure: configure) { gateway, service, _ in
            let connection = try await gateway.connect()
            try await connection.send(
                """
                POST /v1/posts HTTP/1.1\r\nHost: h\r\nSeSACKey: anlaka-dev-key\r\n\
                RefreshToken: \(try Self.refresh(.anlaka))\r\nContent-Length: 10\r\n\r\n
                """
            )
            #expect(await connection.readMessage()?.status == 401)
            #expect(await connection.readToEnd().isEmpty)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func sessionOperations_areNotRefreshed() async throws {
        try await Self.withGateway { gateway, service, auth in
            let keys: [App: String] = [
                .anlaka: "SeSACKey: anlaka-dev-key\r\n", .culture: "SeSACKey: culture-dev-key\r\n",
            ]
            let routes = gateway.gateway.core.router.routes.filter {
                $0.operation.service == .auth && $0.operation.refreshToken != .refreshes
            }
            #expect(routes.count == 15)
            for route in routes {
                let headers = "X-Refresh-Token: \(try Self.refresh(route.app))\r\n\(keys[route.app] ?? "")"
                let token = try Self.access(route.app, for: -31)
                let (method, path) = (route.operation.method.rawValue, route.operation.path)
                let answer = try #require(await gateway.call(path, method: method, token: token, headers: headers))
                #expect(answer["x-access-token"].isEmpty, "\(path)")
                #expect(route.operation.access != .user || [401, 419].contains(answer.status), "\(path)")
            }
            #expect(auth.refreshes.isEmpty)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func refreshToken_isForwardedToRefreshOperationOnly() async throws {
        let service = try await TestUpstream.answering()
        try await TestGateway.run([.auth: [service], .seats: [service]]) { gateway in
            let headers =
                "SeSACKey: anlaka-dev-key\r\nRefreshToken: r\r\nRefresh: r\r\nCookie: refresh_token=r; a=1\r\n"
            _ = try await gateway.call("/v1/auth/refresh", headers: headers)
            let own = try #require(service.requests.last)
            #expect(
                own["refreshtoken"] == ["r"] && own["refresh"] == ["r"] && own["cookie"] == ["refresh_token=r; a=1"]
            )
            _ = try await gateway.call("/v1/users/login", method: "POST", headers: headers)
            let other = try #require(service.requests.last)
            #expect(other["refreshtoken"].isEmpty && other["refresh"].isEmpty && other["cookie"] == ["a=1"])
        }
    }

    @Test(arguments: [
        (AuthAPI.Refreshed.Refusal.invalid, [App.moup: 401, .anlaka: 401, .seatcatcher: 401, .withsuhyeon: 401]),
        (.expired, [.moup: 401, .anlaka: 418, .culture: 418, .seatcatcher: 401, .withsuhyeon: 401]),
        (.leaving, [.moup: 409, .anlaka: 409, .seatcatcher: 409]),
        (.gone, [.moup: 404, .anlaka: 403, .culture: 403, .seatcatcher: 401, .withsuhyeon: 401]),
    ])
    func refusedRefresh_returnsStatusOfApp(_ refusal: AuthAPI.Refreshed.Refusal, _ expected: [App: Int]) async throws {
        let paths: [App: (String, String)] = [
            .moup: ("/home", ""), .seatcatcher: ("/stations", ""), .withsuhyeon: ("/api/v1/home", ""),
            .anlaka: ("/v1/estates/1", "SeSACKey: anlaka-dev-key\r\n"),
            .culture: ("/v1/posts", "SeSACKey: culture-dev-key\r\n"),
        ]
        try await Self.withGateway(refreshing: { _ in AuthAPI.Refreshed(refusal: refusal) }) { gateway, _, _ in
            for (app, status) in expected {
                let (path, key) = try #require(paths[app])
                let headers = "\(key)X-Refresh-Token: \(try Self.refresh(app))\r\n"
                let late = try await gateway.call(path, token: Self.access(app, for: -31), headers: headers)
                #expect(late?.status == status, "\(app)")
                if app == .moup, status == 401 { #expect(late?.body.isEmpty == true) }
                let good = try await gateway.call(path, token: Self.access(app, for: 20), headers: headers)
                #expect(good?.status == 200, "\(app)")
            }
        }
    }

    @Test func authUnavailable_expiredToken_returns503() async throws {
        struct Away: Error {}
        let configure: (inout GatewayConfiguration) -> Void = { $0.limits.refreshTime = .milliseconds(200) }
        try await Self.withGateway(refreshing: { _ in throw Away() }, configure: configure) { gateway, service, _ in
            let headers = "X-Refresh-Token: \(try Self.refresh())\r\n"
            for access in [try Self.access(for: -31), nil] {
                let answer = try #require(await gateway.call("/stations", token: access, headers: headers))
                #expect(answer.status == 503 && answer["retry-after"] == ["1"])
            }
            #expect(service.requests.isEmpty)
            for seconds in [20, -20] as [Int64] {
                let answer = try await gateway.call("/stations", token: Self.access(for: seconds), headers: headers)
                #expect(answer?.status == 200)
            }
        }
    }

    @Test func waiter_beyondLimit_returns503() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let refreshing: TestAuth.Refreshing = { refresh in
            for await _ in gate.stream {}
            return try Self.renewed(refresh.app)
        }
        let configure: (inout GatewayConfiguration) -> Void = {
            $0.limits.refreshWaiters = 4
            $0.limits.refreshTime = .seconds(30)
        }
        try await Self.withGateway(refreshing: refreshing, configure: configure) { gateway, _, _ in
            let headers = "X-Refresh-Token: \(try Self.refresh())\r\n"
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<4 { group.addTask { try await gateway.call("/stations", headers: headers)?.status } }
                try await eventually { gateway.gateway.core.refreshes.counts.waiting == 4 }
                #expect(try await gateway.call("/stations", headers: headers)?.status == 503)
                gate.continuation.finish()
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    @Test func disconnectedClient_isRemovedFromWaiters() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let refreshing: TestAuth.Refreshing = { refresh in
            for await _ in gate.stream {}
            return try Self.renewed(refresh.app)
        }
        let configure: (inout GatewayConfiguration) -> Void = { $0.limits.refreshTime = .seconds(30) }
        try await Self.withGateway(refreshing: refreshing, configure: configure) { gateway, service, _ in
            defer { gate.continuation.finish() }
            let connection = try await gateway.connect()
            try await connection.send(
                "GET /stations HTTP/1.1\r\nHost: h\r\nX-Refresh-Token: \(try Self.refresh())\r\n\r\n"
            )
            try await eventually { gateway.gateway.core.refreshes.counts.waiting == 1 }
            await connection.reset()
            try await eventually { gateway.gateway.core.refreshes.counts.waiting == 0 }
            #expect(service.requests.isEmpty)
        }
    }

    @Test func bodiesDuringRefresh_arriveOnce() async throws {
        let refreshing: TestAuth.Refreshing = { refresh in
            try await Task.sleep(for: .milliseconds(100))
            return try Self.renewed(refresh.app)
        }
        try await Self.withGateway(refreshing: refreshing) { gateway, service, auth in
            let headers = "X-Refresh-Token: \(try Self.refresh())\r\n"
            // The bodies exceed the read-ahead; the rest stays in the socket.
            let bodies = (0..<20).map { "\($0) " + String(repeating: "x", count: $0 * 20_000) }
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for body in bodies {
                    group.addTask {
                        try await gateway.call("/reports", method: "POST", headers: headers, body: body)?.status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(service.requests.map(\.body).sorted() == bodies.sorted())
            #expect(auth.refreshes.count == 1)
        }
    }

    @Test func firstUse_isReportedOnClientsRequestOnly() async throws {
        let given = try TestGateway.key.token { $0.gen = 1 }
        let refreshing: TestAuth.Refreshing = { _ in
            AuthAPI.Refreshed(tokens: .init(accessToken: given, refreshToken: "r", session: "s1", refreshExpiresAt: 0))
        }
        try await Self.withGateway(refreshing: refreshing, configure: { $0.threads = 1 }) { gateway, _, auth in
            let headers = "X-Refresh-Token: \(try Self.refresh())\r\n"
            #expect(try await gateway.call("/stations", headers: headers)?.status == 200)
            try await Task.sleep(for: .milliseconds(150))
            #expect(auth.uses.isEmpty, "the response with the new tokens may have been lost")
            for _ in 0..<2 { #expect(try await gateway.call("/stations", token: given)?.status == 200) }
            try await eventually { !auth.uses.isEmpty }
            #expect(auth.uses == [AuthAPI.Uses.Use(session: "s1", generation: 1)])
        }
    }

    @Test func webSocketHandshake_isRefreshed() async throws {
        let chat = try await TestUpstream.playing { connection in
            guard let request = await connection.readMessage() else { return }
            if try await TestUpstream.answerHealth(request, on: connection) { return }
            let isKnown = request["x-madang-identity"].first?.contains(".42.s1.") == true
            try await connection.send(
                isKnown && request["authorization"].isEmpty
                    ? "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
                    : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
            )
        }
        let auth = TestAuth { try Self.renewed($0.app) }
        try await TestGateway.run([.chat: [chat], .auth: [try await auth.serve()]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(
                """
                GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n\
                Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                SeSACKey: anlaka-dev-key\r\nRefreshToken: \(try Self.refresh(.anlaka))\r\n\
                Authorization: \(try Self.access(.anlaka, for: -31))\r\n\r\n
                """
            )
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 101)
            #expect(answer["x-refresh-token"] == ["successor"])
            await connection.close()
        }
    }
}
