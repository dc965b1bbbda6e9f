import Contracts
import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// A gateway takes the sockets of another one over, which ends, and no client notices.
@Suite(.timeLimit(.minutes(2)))
struct HandoverTests {
    /// A service that echoes what comes on its WebSockets, and answers requests.
    static func service(
        _ answer: @escaping @Sendable (RawMessage) async -> String = { _ in TestUpstream.ok("{}") }
    ) async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                guard request["upgrade"] == ["websocket"] else {
                    try await connection.send(await answer(request))
                    continue
                }
                try await connection.send(WebSocketText.switching)
                while let bytes = await connection.read({
                    $0.readableBytes > 0 ? $0.readSlice(length: $0.readableBytes) : nil
                }) { try await connection.send(bytes) }
                await connection.close()
            }
        }
    }

    /// A service that answers requests for what is slow only when it is released.
    ///
    /// - Parameter headers: Lines of these answers.
    private static func service(until release: Rendezvous, headers: String = "") async throws -> TestUpstream {
        try await service { request in
            guard request.start.contains("slow") else { return TestUpstream.ok("answer") }
            await release.arrive()
            return TestUpstream.ok("answer", headers: headers)
        }
    }

    /// A connection with a request for what is slow, with which the gateway keeps it.
    private static func waiting(_ gateway: TestGateway, token: String) async throws -> RawConnection {
        let connection = try await gateway.connect()
        try await connection.send(
            "GET /stations?slow HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\r\n"
        )
        try await gateway.waitForOutstanding(1, to: .seats)
        return connection
    }

    /// All services at one address.
    static func upstreams(_ service: TestUpstream) -> [ServiceName: [TestUpstream]] {
        Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [service]) })
    }

    /// A tunnel that has echoed something.
    static func tunnel(_ gateway: TestGateway, token: String? = nil) async throws -> RawConnection {
        let connection = try await gateway.connect()
        // The address of a WebSocket that is for signed-in people, and the one that is for anyone.
        let request = token.map { token in
            WebSocketText.handshake("/api/v1/chatrooms/stream", headers: "Authorization: Bearer \(token)\r\n")
        }
        try await connection.send(request ?? WebSocketText.handshake())
        #expect(await connection.readMessage()?.status == 101)
        try await expectEcho("first", connection)
        return connection
    }

    /// An unmasked text frame, which the service returns.
    static func frame(_ text: String) -> String { "\u{1}\(Character(Unicode.Scalar(UInt8(text.utf8.count))))\(text)" }

    static func expectEcho(_ text: String, _ connection: RawConnection) async throws {
        let frame = frame(text)
        try await connection.send(frame)
        #expect(await connection.read { $0.readString(length: frame.utf8.count) } == frame)
    }

    /// Runs a gateway, then another that takes over, and waits for the end of the first.
    ///
    /// - Parameters:
    ///   - port: The second one's port; nil for that of the first.
    ///   - log: Records the second one's log.
    ///   - during: Runs when the second one accepts connections.
    static func succeed(
        _ upstreams: [ServiceName: [TestUpstream]],
        auth: TestAuth = TestAuth(),
        path: String = "/tmp/handover-\(UInt32.random(in: 0 ... .max))",
        port: Int? = nil,
        log: RecordedLog? = nil,
        configure: @escaping @Sendable (inout GatewayConfiguration) -> Void = { _ in },
        before: @escaping @Sendable (TestGateway) async throws -> [RawConnection],
        during: @escaping @Sendable (_ old: TestGateway, _ new: TestGateway) async throws -> Void = { _, _ in },
        after: @escaping @Sendable (TestGateway, [RawConnection]) async throws -> Void
    ) async throws {
        defer { unlink(path) }
        let all = upstreams.merging([.auth: [try await auth.serve()]]) { $1 }
        let configured: @Sendable (inout GatewayConfiguration) -> Void = {
            $0.handoverSocket = path
            configure(&$0)
        }
        let ready = AsyncStream<(TestGateway, [RawConnection])>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { ready.continuation.finish() }
                try await TestGateway.run(all, configure: configured) { gateway in
                    ready.continuation.yield((gateway, try await before(gateway)))
                    await gateway.untilEnded()
                }
            }
            for await (first, connections) in ready.stream {
                try await eventually("a successor can come") { access(path, F_OK) == 0 }
                let next: @Sendable (inout GatewayConfiguration) -> Void = {
                    configured(&$0)
                    $0.port = port ?? $0.port
                }
                try await TestGateway.run(all, log: log, configure: next) { gateway in
                    #expect(gateway.port == port ?? first.port)
                    try await during(first, gateway)
                    await first.untilEnded()
                    try await after(gateway, connections)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func gatewayWithASuccessor_doesNotServeForTheDelay() async throws {
        // The first gateway takes it.
        let notices = Mutex([ShutdownNotice(lasting: .seconds(600))])
        try await Self.succeed(
            Self.upstreams(try await Self.service()),
            configure: { configuration in
                if let notice = notices.withLock({ $0.popLast() }) { configuration.shutdown = notice }
            },
            before: { _ in [] },
            after: { _, _ in #expect(notices.withLock { $0.isEmpty }) }
        )
    }

    @Test func openTunnels_moveToSuccessor() async throws {
        try await Self.succeed(Self.upstreams(try await Self.service())) { gateway in
            var tunnels: [RawConnection] = []
            for _ in 0..<70 { tunnels.append(try await Self.tunnel(gateway)) }
            return tunnels
        } after: { gateway, tunnels in
            let counts = try await gateway.gateway.loops.map(\.tunnelCount)
            #expect(counts.reduce(0, +) == 70)
            #expect(gateway.gateway.core.clientLimits.count == 70)
            for tunnel in tunnels { try await Self.expectEcho("again", tunnel) }
            try await Self.expectEcho("new", try await Self.tunnel(gateway))
            for tunnel in tunnels { await tunnel.close() }
            try await eventually { gateway.gateway.core.clientLimits.count == 0 }
        }
    }

    @Test func otherPort_isListenedOn_andOpenTunnelsMove() async throws {
        let port = try FreePort.find()
        let old = Mutex(0)
        try await Self.succeed(Self.upstreams(try await Self.service()), port: port) { gateway in
            old.withLock { $0 = gateway.port }
            return [try await Self.tunnel(gateway)]
        } after: { gateway, tunnels in
            try await Self.expectEcho("again", tunnels[0])
            try await Self.expectEcho("new", try await Self.tunnel(gateway))
            await #expect(throws: (any Error).self) { try await RawConnection.connect(to: old.withLock(\.self)) }
        }
    }

    @Test func frameInPieces_staysWhole_alsoBeforeAClose() async throws {
        let auth = TestAuth()
        let token = try TestGateway.key.token(.withsuhyeon) { $0.sid = "gone" }
        try await Self.succeed(Self.upstreams(try await Self.service()), auth: auth) {
            $0.limits.tunnelDrainTime = .seconds(10)
        } before: { gateway in
            let tunnel = try await Self.tunnel(gateway, token: token)
            try await tunnel.send("\u{1}\u{4}ab")
            #expect(await tunnel.read { $0.readString(length: 4) } == "\u{1}\u{4}ab")
            return [tunnel]
        } after: { _, tunnels in
            // The Close frame that tells of the session's end may not be in the middle of the other.
            auth.end("gone")
            try await Task.sleep(for: .milliseconds(300))
            try await tunnels[0].send("cd")
            #expect(await tunnels[0].read { $0.readString(length: 2) } == "cd")
            let close = await tunnels[0].read { $0.readBytes(length: 4) }
            #expect(close == [0x88, 2, 0x03, 0xf0])
        }
    }

    @Test func idleConnections_andBeginningsOfRequests_move() async throws {
        let request = "GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n"
        try await Self.succeed(Self.upstreams(try await Self.service())) { gateway in
            let idle = try await gateway.connect()
            try await idle.send(request)
            #expect(await idle.readMessage()?.status == 200)
            let begun = try await gateway.connect()
            try await begun.send(String(request.prefix(20)))
            return [idle, begun, try await gateway.connect()]
        } after: { _, connections in
            try await connections[0].send(request)
            try await connections[1].send(String(request.dropFirst(20)))
            try await connections[2].send(request)
            for connection in connections { #expect(await connection.readMessage()?.status == 200) }
        }
    }

    @Test func requestInFlight_isAnsweredByTheOld_andItsConnectionMoves() async throws {
        let token = try TestGateway.key.token()
        let release = Rendezvous(2)
        let service = try await Self.service(until: release)
        try await Self.succeed(Self.upstreams(service)) {
            // The answer may come late on a busy machine.
            $0.limits.handoverTime = .seconds(60)
        } before: { gateway in
            let connection = try await Self.waiting(gateway, token: token)
            Task {
                try await Task.sleep(for: .seconds(1))
                await release.arrive()
            }
            return [connection]
        } after: { _, connections in
            for _ in 0..<2 {
                let message = await connections[0].readMessage()
                let answer = try #require(message)
                #expect(answer.status == 200 && answer["connection"] != ["close"])
                try await connections[0].send(
                    "GET /stations HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\r\n"
                )
            }
        }
    }

    @Test func sessionEndedByAnAnswerOfTheOld_isRefusedByTheSuccessor() async throws {
        let ended = try TestGateway.key.token { $0.sid = "gone" }
        let caller = try TestGateway.key.token { $0.sid = "stays" }
        let release = Rendezvous(2)
        let ends = "\(AuthAPI.Revocations.field): ended gone 9999999999\r\n"
        let service = try await Self.service(until: release, headers: ends)
        try await Self.succeed(Self.upstreams(service)) {
            // The answer may come late on a busy machine.
            $0.limits.handoverTime = .seconds(60)
        } before: { gateway in
            let known = try await gateway.call("/stations", token: ended)
            #expect(known?.status == 200)
            return [try await Self.waiting(gateway, token: caller)]
        } during: { _, _ in
            await release.arrive()
        } after: { gateway, connections in
            let message = await connections[0].readMessage()
            #expect(message?.status == 200)
            let refused = try await gateway.call("/stations", token: ended)
            #expect(refused?.status == 401)
        }
    }

    @Test func sessionEndedByAnAnswerOfTheSuccessor_isKnownToTheOld() async throws {
        let caller = try TestGateway.key.token { $0.sid = "stays" }
        let release = Rendezvous(2)
        let service = try await Self.service(until: release)
        try await Self.succeed(Self.upstreams(service)) {
            // The old gateway has the connection until it is answered.
            $0.limits.handoverTime = .seconds(60)
        } before: { gateway in
            return [try await Self.waiting(gateway, token: caller)]
        } during: { old, new in
            try await eventually("a session that ended in the new gateway has ended in the old one") {
                // As many as auth's answer may have, which do not fit into a message.
                let number = UInt32.random(in: 0 ... .max)
                new.gateway.core.revocations.add(
                    (0..<5_000).map { .init(session: "gone \(number) \($0)", cause: .ended, until: 9_999_999_999) }
                )
                return old.gateway.core.revocations.count >= 5_000
            }
            await release.arrive()
        } after: { _, connections in
            let message = await connections[0].readMessage()
            #expect(message?.status == 200)
        }
    }

    /// Gateways of the version before do not read which sessions end in their successor.
    @Test func portsOfAnOlderGateway_areRead() throws {
        let older = Data(#"{"ports":{"_0":["HOST"]}}"#.utf8)
        #expect(try JSONDecoder().decode(HandoverMessage.self, from: older) == .ports(["HOST"]))
        enum Older: Codable, Equatable { case ports([String]) }
        let newer = try JSONEncoder().encode(HandoverMessage.ports(["HOST"], hears: true))
        #expect(try JSONDecoder().decode(Older.self, from: newer) == .ports(["HOST"]))
    }

    @Test func endedSession_staysEnded_whileAuthIsAway() async throws {
        let auth = TestAuth()
        let token = try TestGateway.key.token { $0.sid = "gone" }
        try await Self.succeed(Self.upstreams(try await Self.service()), auth: auth) { gateway in
            // They go over in several messages.
            for number in 0..<3_500 { auth.end("session \(number)") }
            auth.end("gone")
            try await eventually { try await gateway.call("/stations", token: token)?.status == 401 }
            try await eventually { gateway.gateway.core.revocations.all.count == 3_501 }
            auth.isAway = true
            return []
        } after: { gateway, _ in
            #expect(gateway.gateway.core.revocations.all.count == 3_501)
            let answer = try await gateway.call("/stations", token: token)
            #expect(answer?.status == 401)
        }
    }

    @Test func connectionsWithTLS_areClosed_andTheirPortMoves() async throws {
        let service = try await Self.service()
        try await TestCertificate.with { certificate in
            let files = certificate.files
            try await Self.succeed(Self.upstreams(service)) {
                $0.certificate = files
                $0.limits.tunnelDrainTime = .seconds(10)
            } before: { gateway in
                let tunnel = try await TLSClient.connect(to: gateway.tlsPort)
                try await tunnel.send(WebSocketText.handshake())
                #expect(await tunnel.readMessage()?.status == 101)
                try await Self.expectEcho("first", tunnel)
                return [tunnel]
            } after: { gateway, tunnels in
                let close = await tunnels[0].read { $0.readBytes(length: 4) }
                #expect(close == [0x88, 2, 0x03, 0xf4])
                let next = try await TLSClient.connect(to: gateway.tlsPort)
                try await next.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(await next.readMessage()?.status == 200)
            }
        }
    }
}
