import Authentication
import Contracts
import Glibc
import NIOCore
import PostgresServer
import TestKit
import Testing

@testable import Gateway

/// Every gateway soon refuses the tokens of ended sessions, in the app's error format.
@Suite(.timeLimit(.minutes(1)))
struct RevocationTests {
    private static let anlaka = "SeSACKey: anlaka-dev-key\r\n"

    /// Two gateways with one auth service, and one other service for all other routes.
    private func withGateways(
        _ auth: TestAuth,
        absent: Int? = nil,
        _ test: @Sendable ([TestGateway]) async throws -> Void
    ) async throws {
        let service = try await TestUpstream.answering()
        var upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
        upstreams[.auth] = absent == nil ? [try await auth.serve()] : nil
        let missing: [ServiceName: Int] = absent.map { [.auth: $0] } ?? [:]
        try await TestGateway.run(upstreams, absent: missing) { first in
            try await TestGateway.run(upstreams, absent: missing) { second in try await test([first, second]) }
        }
    }

    @Test func revokedSession_isRefusedByEveryGateway() async throws {
        let auth = TestAuth()
        try await withGateways(auth) { gateways in
            let token = try TestGateway.key.token { $0.sid = "gone" }
            let other = try TestGateway.key.token { $0.sid = "stays" }
            for gateway in gateways {
                // After these calls every event loop has both tokens in its cache.
                for token in [token, other, token, other, token, other] {
                    #expect(try await gateway.call("/stations", token: token)?.status == 200)
                }
            }
            auth.end("gone")
            for gateway in gateways {
                for _ in 0..<4 {
                    try await eventually { try await gateway.call("/stations", token: token)?.status == 401 }
                }
                #expect(try await gateway.call("/stations", token: other)?.status == 200)
            }
        }
    }

    /// Auth names the session that a request has ended with its response, and announces nothing here. A presented refresh
    /// token that was stolen is answered with a refusal.
    @Test(arguments: [200, 401]) func responseThatNamesAnEndedSession_isFollowedByRefusals(_ status: Int) async throws {
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                let value =
                    request.start.hasPrefix("DELETE")
                    ? "ended gone soon" : "ended gone 9999999999,,x,ended too 9999999999"
                try await connection.send(
                    "HTTP/1.1 \(status) Status\r\n\(AuthAPI.Revocations.field): \(value)\r\nContent-Length: 0\r\n\r\n"
                )
            }
            await connection.close()
        }
        let service = try await TestUpstream.answering()
        var upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
        upstreams[.auth] = [auth]
        try await TestGateway.run(upstreams) { gateway in
            let ended = try TestGateway.key.token(.anlaka) { $0.sid = "gone" }
            let other = try TestGateway.key.token(.anlaka) { $0.sid = "too" }
            let caller = try TestGateway.key.token(.anlaka) { $0.sid = "stays" }
            func answer(_ path: String, method: String = "GET", _ token: String) async throws -> Int? {
                let answer = try await gateway.call(path, method: method, token: token, headers: Self.anlaka)
                #expect(answer?.headers.contains { $0.name.lowercased().hasPrefix("x-madang-") } == false)
                return answer?.status
            }
            // The value of this answer cannot be read.
            #expect(try await answer("/v1/users/me", method: "DELETE", caller) == status)
            for _ in 0..<6 { #expect(try await answer("/v1/estates/1", ended) == 200) }
            #expect(try await answer("/v1/users/logout", method: "POST", caller) == status)
            for _ in 0..<6 {
                #expect(try await answer("/v1/estates/1", ended) == 401)
                #expect(try await answer("/v1/estates/1", other) == 401)
                #expect(try await answer("/v1/estates/1", caller) == 200)
            }
        }
    }

    @Test func withdrawnAccount_getsStatusOfApp() async throws {
        let auth = TestAuth()
        auth.end("leaving", cause: .leaving)
        auth.end("left", cause: .withdrawn)
        try await withGateways(auth) { gateways in
            let cases: [(App, path: String, headers: String, leaving: Int, left: Int)] = [
                (.moup, "/home", "", 409, 404), (.anlaka, "/v1/estates/1", Self.anlaka, 409, 403),
                (.seatcatcher, "/stations", "", 409, 401),
            ]
            for (app, path, headers, leaving, left) in cases {
                let first = try TestGateway.key.token(app) { $0.sid = "leaving" }
                let second = try TestGateway.key.token(app) { $0.sid = "left" }
                try await eventually { try await gateways[0].call(path, token: first, headers: headers)?.status != 200 }
                let answer = try #require(await gateways[0].call(path, token: first, headers: headers))
                #expect(answer.status == leaving, "\(app)")
                if app == .moup { #expect(answer.body.contains("DELETE_409")) }
                #expect(try await gateways[0].call(path, token: second, headers: headers)?.status == left, "\(app)")
            }
        }
    }

    @Test func revocations_authUnavailable_applyOnceLoaded() async throws {
        let port = try FreePort.find()
        let auth = TestAuth()
        auth.end("gone")
        try await withGateways(auth, absent: port) { gateways in
            let token = try TestGateway.key.token { $0.sid = "gone" }
            for gateway in gateways { #expect(try await gateway.call("/stations", token: token)?.status == 200) }
            let server = try await auth.serve(port: port)
            for gateway in gateways {
                try await eventually { try await gateway.call("/stations", token: token)?.status == 401 }
            }
            await server.stop()
            #expect(try await gateways[0].call("/stations", token: token)?.status == 401)
        }
    }

    /// A gateway that has just started knows the keys no sooner than the sessions that have ended.
    @Test func revocations_ofBeforeTheStart_applyToTheFirstRequest() async throws {
        let auth = TestAuth()
        auth.end("gone")
        auth.isSlow = true
        let service = try await TestUpstream.answering()
        var upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
        upstreams[.auth] = [try await auth.serve()]
        try await TestGateway.run(upstreams, keys: nil) { gateway in
            let token = try TestGateway.key.token { $0.sid = "gone" }
            // A slow machine may need longer than a request waits for the keys.
            try await eventually {
                let status = try await gateway.call("/stations", token: token)?.status
                #expect(status != 200)
                return status == 401
            }
            let other = try TestGateway.key.token { $0.sid = "stays" }
            #expect(try await gateway.call("/stations", token: other)?.status == 200)
        }
    }

    @Test func webSocketsOfRevokedSession_areClosed() async throws {
        let auth = TestAuth()
        let chat = try await Self.chat { connection in
            // The first half of a frame of two bytes: the gateway's close frame waits for the second half.
            try await connection.send(ByteBuffer(bytes: [0x82, 0x02, 1]))
            let close = await connection.read { $0.readBytes(length: 8) } ?? []
            try await connection.send(ByteBuffer(bytes: [2] + close.suffix(2).enumerated().map { close[2 + $0] ^ $1 }))
            _ = await connection.readToEnd()
            await connection.close()
        }
        let upstreams = [ServiceName.chat: [chat], .auth: [try await auth.serve()]]
        // The service has to answer the close frame before the tunnel is cut.
        try await TestGateway.run(upstreams, configure: { $0.limits.tunnelDrainTime = .seconds(3) }) { gateway in
            let token = try TestGateway.key.token(.anlaka) { $0.sid = "gone" }
            let connection = try await gateway.connect()
            try await connection.send(Self.handshake(token))
            #expect(await connection.readMessage()?.status == 101)
            #expect(await connection.read { $0.readBytes(length: 3) } == [0x82, 0x02, 1])
            auth.end("gone")
            #expect(await connection.read { $0.readBytes(length: 5) } == [2, 0x88, 0x02, 0x03, 0xf0])
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func webSocketOfRevokedSession_isClosedAtOnce_thoughItsServiceHangs() async throws {
        let auth = TestAuth()
        let chat = try await Self.chat { _ in try await Task.sleep(for: .seconds(3600)) }
        let upstreams = [ServiceName.chat: [chat], .auth: [try await auth.serve()]]
        try await TestGateway.run(upstreams, configure: { $0.limits.tunnelDrainTime = .hours(1) }) { gateway in
            let token = try TestGateway.key.token(.anlaka) { $0.sid = "gone" }
            let connection = try await gateway.connect()
            try await connection.send(Self.handshake(token))
            #expect(await connection.readMessage()?.status == 101)
            auth.end("gone")
            #expect(await connection.read { $0.readBytes(length: 4) } == [0x88, 0x02, 0x03, 0xf0])
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    /// A service that accepts a WebSocket.
    private static func chat(
        _ play: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            guard let request = await connection.readMessage() else { return }
            if try await TestUpstream.answerHealth(request, on: connection) { return }
            try await connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
            )
            try await play(connection)
        }
    }

    private static func handshake(_ token: String) -> String {
        """
        GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n\
        Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        \(Self.anlaka)Authorization: \(token)\r\n\r\n
        """
    }

    @Test func revocationsOfBefore_areLoadedPageByPage_once() async throws {
        let revocations = Revocations(leeway: 30)
        let sessions = ["a", "b", "c"]
        var asked: [Int64] = []
        for _ in 0..<2 {
            try await revocations.load { number in
                asked.append(number)
                let page = sessions.dropFirst(Int(number)).prefix(1).map {
                    AuthAPI.Revocations.Revocation(session: $0, cause: .ended, until: .max / 2)
                }
                return AuthAPI.Revocations(revocations: page, last: number + Int64(page.count))
            }
        }
        #expect(asked == [0, 1, 2, 3])
        #expect(sessions.allSatisfy { revocations.cause($0) == .ended })
    }

    @Test func expiredRevocations_areRemoved() {
        let revocations = Revocations(leeway: 30)
        func add(_ session: String, until: Int64, now: Int64) {
            let revocation = AuthAPI.Revocations.Revocation(session: session, cause: .ended, until: until)
            revocations.add([revocation], now: now)
        }
        add("old", until: 1_000, now: 900)
        add("new", until: 2_000, now: 1_029)
        #expect(revocations.cause("old") == .ended)
        add("newer", until: 3_000, now: 1_090)
        #expect(revocations.cause("old") == nil)
        #expect(revocations.cause("new") == .ended)
        #expect(revocations.count == 2)
    }
}
