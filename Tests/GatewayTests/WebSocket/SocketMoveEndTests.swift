import Contracts
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// What ends a WebSocket while it moves between copies of its service, and takeovers meanwhile.
@Suite(.timeLimit(.minutes(6)))
struct SocketMoveEndTests {
    private enum Stage: CaseIterable {
        /// The client's messages are held, and the state has not come.
        case leaving
        /// Another copy has the state and has not confirmed.
        case arriving
    }

    private static let state = TestFrame(SocketMove.state, Array("state".utf8))
    private static let confirmation = TestFrame(SocketMove.state)

    /// Brings a client's socket into a stage of a move.
    ///
    /// - Returns: With the connection to the copy that has the socket, or is to get it.
    private func begin(
        _ stage: Stage,
        _ copies: SocketCopies,
        _ gateway: TestGateway,
        token: String? = nil
    ) async throws -> (client: RawConnection, served: ServedSocket) {
        let client = try await gateway.connect()
        let path = token == nil ? "/seatcatcher" : "/api/v1/chatrooms/stream"
        let headers = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try await client.send(WebSocketText.handshake(path, headers: headers))
        #expect(await client.readMessage()?.status == 101)
        let served = try #require(await copies.next())
        _ = try await served.offer()
        guard stage == .arriving else { return (client, served) }
        try await served.send(Self.state)
        let there = try #require(await copies.next())
        #expect(await there.read() == Self.state)
        return (client, there)
    }

    private func expectNoTunnel(_ gateway: TestGateway) async throws {
        try await eventually {
            let open = try await gateway.gateway.loops.map(\.tunnelCount).reduce(0, +)
            let outstanding = gateway.gateway.directory.current.values.joined().reduce(0) {
                $0 + $1.tunnels.load(ordering: .relaxed)
            }
            return open == 0 && outstanding == 0
        }
    }

    @Test(arguments: Stage.allCases)
    private func clientThatResets_endsMove(_ stage: Stage) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await begin(stage, copies, gateway)
            await client.reset()
            #expect(await served.connection.readToEnd().isEmpty)
            try await expectNoTunnel(gateway)
        }
    }

    @Test func clientThatEndsItsInput_isHeardByNextCopy() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, there) = try await begin(.arriving, copies, gateway)
            try await client.send(TestFrame.text("bye").masked, TestFrame.close(1000).masked)
            try await client.closeOutput()
            try await there.send(Self.confirmation)
            #expect(await there.read() == .text("bye"))
            #expect(await there.read() == .close(1000))
            #expect(await there.connection.readToEnd().isEmpty)
        }
    }

    @Test(arguments: Stage.allCases)
    private func copyThatDies_endsOrRepeatsMove(_ stage: Stage) async throws {
        let copies = try await SocketCopies.start(3)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await begin(stage, copies, gateway)
            await served.connection.reset()
            guard stage == .arriving else {
                #expect(await client.readToEnd().isEmpty)
                return try await expectNoTunnel(gateway)
            }
            let third = try #require(await copies.next())
            #expect(await third.read() == Self.state)
            try await third.send(Self.confirmation, .text("here"))
            #expect(await client.readFrame() == .text("here"))
        }
    }

    @Test(arguments: Stage.allCases)
    private func endOfSession_closesClient(_ stage: Stage) async throws {
        let copies = try await SocketCopies.start(2)
        let auth = TestAuth()
        let token = try TestGateway.key.token(.withsuhyeon) { $0.sid = "gone" }
        let upstreams: [ServiceName: [TestUpstream]] = [.chat: copies.upstreams, .auth: [try await auth.serve()]]
        try await TestGateway.run(upstreams) { gateway in
            let (client, _) = try await begin(stage, copies, gateway, token: token)
            auth.end("gone")
            #expect(await client.readFrame() == .close(1008))
            await client.close()
            try await expectNoTunnel(gateway)
        }
    }

    @Test(arguments: Stage.allCases)
    private func gatewayThatEnds_closesClient(_ stage: Stage) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, _) = try await begin(stage, copies, gateway)
            await gateway.shutDown()
            #expect(await client.readFrame() == .close(1001))
            await client.close()
        }
    }

    /// A move under way is completed by the gateway that began it, and then the socket goes to the successor.
    @Test(arguments: Stage.allCases)
    private func takeover_waitsForMove(_ stage: Stage) async throws {
        let served = Mutex<ServedSocket?>(nil)
        let current: @Sendable () -> ServedSocket? = { served.withLock { $0 } }
        let copies = try await SocketCopies.start(2)
        let upstreams = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, copies.upstreams) })
        try await HandoverTests.succeed(upstreams) {
            $0.limits.handoverTime = .seconds(60)
        } before: { gateway in
            let (client, socket) = try await begin(stage, copies, gateway)
            served.withLock { $0 = socket }
            return [client]
        } during: { _, _ in
            var socket = try #require(current())
            if stage == .leaving {
                try await socket.send(Self.state)
                socket = try #require(await copies.next())
                #expect(await socket.read() == Self.state)
            }
            try await socket.send(Self.confirmation, .text("moved"))
            served.withLock { [socket] in $0 = socket }
        } after: { gateway, clients in
            let first = try #require(current())
            let client = try #require(clients.first)
            #expect(await client.readFrame() == .text("moved"))
            #expect(try await gateway.gateway.loops.map(\.tunnelCount).reduce(0, +) == 1)
            // The successor can move it, too.
            try await client.send(TestFrame.text("before").masked)
            #expect(await first.read() == .text("before"))
            #expect(try await first.offer() == [])
            try await first.send(Self.state)
            let second = try #require(await copies.next())
            #expect(await second.read() == Self.state)
            try await second.send(Self.confirmation, .text("again"))
            #expect(await client.readFrame() == .text("again"))
        }
    }
}
