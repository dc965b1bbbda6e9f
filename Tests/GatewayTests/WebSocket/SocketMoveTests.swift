import Authentication
import Contracts
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// A client's WebSocket moves between copies of its service, and the client does not notice (`SocketMove`).
@Suite(.timeLimit(.minutes(6)))
struct SocketMoveTests {
    /// A client's socket at one of the copies.
    private func open(
        _ copies: SocketCopies,
        _ gateway: TestGateway,
        _ path: String = "/seatcatcher",
        headers: String = ""
    ) async throws -> (client: RawConnection, served: ServedSocket) {
        let client = try await gateway.connect()
        try await client.send(WebSocketText.handshake(path, headers: headers))
        #expect(await client.readMessage()?.status == 101)
        return (client, try #require(await copies.next()))
    }

    private func outstanding(_ gateway: TestGateway) -> Int {
        (gateway.gateway.directory.current[.seats] ?? []).reduce(0) { $0 + $1.tunnels.load(ordering: .relaxed) }
    }

    private func counts(_ gateway: TestGateway) async throws -> (moved: Int, failed: Int) {
        let counts = try await gateway.gateway.loops.map { ($0.moves.count, $0.moves.failedCount) }
        return counts.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
    }

    private static let state = TestFrame(SocketMove.state, Array("state".utf8))
    private static let confirmation = TestFrame(SocketMove.state)

    // MARK: Moves

    @Test func socket_movesToAnotherCopy_andNothingIsLostOrDoubled() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, first) = try await open(copies, gateway)
            #expect(first.request[SocketMove.field] == ["1"])
            var here = first
            for round in 1...3 {
                try await client.send(TestFrame.text("before").masked)
                // Else the offer might reach the gateway first.
                #expect(await here.read() == .text("before"))
                #expect(try await here.offer() == [])
                try await client.send(TestFrame.text("held").masked)
                // The copy's last frames and the state may come in one packet.
                try await here.send(.text("last"), TestFrame(0x9), Self.state)
                #expect(await client.readFrame() == .text("last"))
                #expect(await client.readFrame() == TestFrame(0x9))

                let there = try #require(await copies.next())
                #expect(there.copy != here.copy)
                #expect(there.request.start == "GET \(SocketMove.path) HTTP/1.1")
                try expectIdentity(there.request)
                let state = try #require(await there.read())
                #expect(state == Self.state && state.isMasked)
                #expect(await here.connection.readToEnd().isEmpty)
                try await there.send(Self.confirmation, .text("first"))
                #expect(await client.readFrame() == .text("first"))
                #expect(await there.read() == .text("held"))
                #expect(outstanding(gateway) == 1)
                #expect(try await counts(gateway) == (round, 0))
                here = there
            }
            try await client.send(TestFrame.close(1000).masked)
            #expect(await here.read() == .close(1000))
            await client.close()
            #expect(await here.connection.readToEnd().isEmpty)
            await here.connection.close()
            try await eventually { outstanding(gateway) == 0 }
        }
    }

    /// It is the gateway's own, not the client's.
    private func expectIdentity(_ request: RawMessage) throws {
        let value = try #require(request[InternalIdentity.header].first)
        let keys = InternalKeys.development(.seats)
        let time = try #require(Int64(value.split(separator: ".")[5]))
        let identity = keys.identity(value, of: "GET", SocketMove.path, now: time)
        #expect(identity == InternalIdentity(caller: .gateway))
    }

    @Test func fragmentedMessage_isPassedWholeBeforeTheMove() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            try await client.send(TestFrame.text("a", isFinal: false).masked)
            #expect(await served.read() == .text("a", isFinal: false))
            try await served.send(TestFrame(SocketMove.pause, ServedSocket.token), .text("answer"))
            #expect(await client.readFrame() == .text("answer"), "the offer has been received")
            let rest = [TestFrame(0x9), TestFrame(0x0, [66], isFinal: false), TestFrame(0x0, [67])]
            for frame in rest { try await client.send(frame.masked, TestFrame(0xA).masked) }
            for frame in rest {
                #expect(await served.read() == frame)
                if frame != rest.last { #expect(await served.read() == TestFrame(0xA)) }
            }
            #expect(await served.read() == TestFrame(SocketMove.pause, ServedSocket.token))
            try await served.send(Self.state)
            let there = try #require(await copies.next())
            #expect(await there.read() == Self.state)
            try await there.send(Self.confirmation)
            #expect(await there.read() == TestFrame(0xA))
        }
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, SocketMove.stateSize])
    func stateOfAnySize_isPassedOnUnchanged(size: Int) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            let state = TestFrame(SocketMove.state, (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await served.send(state)
            let there = try #require(await copies.next())
            #expect(await there.read() == state)
            try await there.send(Self.confirmation, .text("done"))
            #expect(await client.readFrame() == .text("done"))
        }
    }

    @Test func framesInPieces_areUnderstood() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            for byte in TestFrame.text("x").bytes + TestFrame(SocketMove.pause, ServedSocket.token).bytes {
                try await served.connection.send(ByteBuffer(bytes: [byte]))
            }
            #expect(await served.read() == TestFrame(SocketMove.pause, ServedSocket.token))
            for byte in TestFrame.text("y").bytes + Self.state.bytes {
                try await served.connection.send(ByteBuffer(bytes: [byte]))
            }
            let there = try #require(await copies.next())
            #expect(await there.read() == Self.state)
            for byte in Self.confirmation.bytes + TestFrame.text("z").bytes {
                try await there.connection.send(ByteBuffer(bytes: [byte]))
            }
            for text in ["x", "y", "z"] { #expect(await client.readFrame() == .text(text)) }
        }
    }

    /// More than move at a time.
    @Test func manySockets_moveAll() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams], configure: { $0.threads = 1 }) { gateway in
            var sockets: [(client: RawConnection, served: ServedSocket)] = []
            for _ in 0..<100 { sockets.append(try await open(copies, gateway)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, (_, served)) in sockets.enumerated() {
                    group.addTask {
                        _ = try await served.offer()
                        try await served.send(TestFrame(SocketMove.state, [UInt8(number)]))
                    }
                }
                for _ in 0..<100 {
                    let there = try #require(await copies.next())
                    group.addTask {
                        let state = try #require(await there.read())
                        try await there.send(Self.confirmation, TestFrame(0x1, state.payload))
                    }
                }
                try await group.waitForAll()
            }
            for (number, (client, _)) in sockets.enumerated() {
                #expect(await client.readFrame() == TestFrame(0x1, [UInt8(number)]))
            }
            #expect(try await counts(gateway) == (100, 0))
        }
    }

    // MARK: Copies that do not take the socket

    @Test(arguments: [TestFrame.close(1011), .close(1013), .text("what?"), TestFrame(SocketMove.state, [1])])
    func refusal_isFollowedByAnotherCopy(_ refusal: TestFrame) async throws {
        let copies = try await SocketCopies.start(3)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await served.send(Self.state)
            let second = try #require(await copies.next())
            #expect(await second.read() == Self.state)
            try await second.send(refusal)
            let third = try #require(await copies.next())
            #expect(Set([served.copy, second.copy, third.copy]).count == 3)
            #expect(await third.read() == Self.state)
            try await third.send(Self.confirmation, .text("here"))
            #expect(await client.readFrame() == .text("here"))
            #expect(await second.connection.readToEnd().isEmpty)
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n",
            WebSocketText.switching, "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
        ]
    )
    func refusedHandshake_isRepeated(_ answer: String) async throws {
        let refusals = Counted()
        let copies = try await SocketCopies.start(2) { _ in
            refusals.add(1)
            return refusals.value < 4 ? answer : nil
        }
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await served.send(Self.state)
            let there = try #require(await copies.next())
            #expect(await there.read() == Self.state)
            try await there.send(Self.confirmation, .text("here"))
            #expect(await client.readFrame() == .text("here"))
        }
    }

    @Test func silentCopy_isGivenUp() async throws {
        let copies = try await SocketCopies.start(3)
        let configure: (inout GatewayConfiguration) -> Void = { $0.limits.moveAttemptTime = .seconds(1) }
        try await TestGateway.run([.seats: copies.upstreams], configure: configure) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await served.send(Self.state)
            let silent = try #require(await copies.next())
            // On a busy machine the next ones may be given up as well; each that comes confirms.
            let others = Task {
                while let there = await copies.next() {
                    try? await there.send(Self.confirmation, .text("here"))
                }
            }
            #expect(await client.readFrame() == .text("here"))
            others.cancel()
            #expect(await silent.connection.readToEnd().isEmpty == false, "the state was sent, then the end")
            #expect(try await counts(gateway) == (1, 0))
        }
    }

    @Test func endedSession_isForTheClient() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await served.send(Self.state)
            let there = try #require(await copies.next())
            try await there.send(.close(1008))
            #expect(await client.readFrame() == .close(1008))
            #expect(await client.readToEnd().isEmpty)
            try await eventually { outstanding(gateway) == 0 }
        }
    }

    @Test func onlyCopy_getsSocketBackWhenItIsRestarted() async throws {
        let copies = try await SocketCopies.start(1)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await served.send(Self.state)
            let there = try #require(await copies.next())
            #expect(await there.read() == Self.state)
            try await there.send(Self.confirmation, .text("again"))
            #expect(await client.readFrame() == .text("again"))
        }
    }

    @Test func socketThatNoCopyTakes_isClosedWithServiceRestart() async throws {
        let copies = try await SocketCopies.start(2) { _ in "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n" }
        let configure: (inout GatewayConfiguration) -> Void = { $0.limits.moveTime = .milliseconds(200) }
        try await TestGateway.run([.seats: copies.upstreams], configure: configure) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            try await client.send(TestFrame.text("held").masked)
            try await served.send(Self.state)
            #expect(await client.readFrame() == .close(1012))
            #expect(await client.readToEnd().isEmpty)
            #expect(try await counts(gateway) == (0, 1))
            try await eventually { outstanding(gateway) == 0 }
        }
    }

    @Test func copyThatNeverSendsState_isClosedWithServiceRestart() async throws {
        let copies = try await SocketCopies.start(2)
        let configure: (inout GatewayConfiguration) -> Void = { $0.limits.moveTime = .milliseconds(200) }
        try await TestGateway.run([.seats: copies.upstreams], configure: configure) { gateway in
            let (client, served) = try await open(copies, gateway)
            _ = try await served.offer()
            #expect(await client.readFrame() == .close(1012))
            #expect(await served.read() == .close(1012))
        }
    }

    // MARK: Malformed frames

    @Test(
        arguments: [
            TestFrame(SocketMove.pause, ServedSocket.token, isMasked: true),
            TestFrame(SocketMove.state, Array(repeating: 1, count: SocketMove.stateSize + 1)),
        ]
    )
    func malformedFrame_endsTunnel(_ frame: TestFrame) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            try? await served.send(frame)
            #expect(await client.readToEnd().isEmpty)
            try await eventually { outstanding(gateway) == 0 }
        }
    }

    @Test(
        arguments: [
            TestFrame(SocketMove.pause, [1]), TestFrame(SocketMove.pause, []), Self.state,
            TestFrame(SocketMove.pause, ServedSocket.token + [9]),
        ]
    )
    func unexpectedFrame_isDropped(_ frame: TestFrame) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            try await served.send(frame)
            try await served.send(.text("goes on"))
            #expect(await client.readFrame() == .text("goes on"))
            try await client.send(TestFrame.text("both ways").masked)
            #expect(await served.read() == .text("both ways"))
        }
    }

    /// The opcodes are reserved (RFC 6455 §5.2), and none of it reaches the service.
    @Test(arguments: [SocketMove.pause, SocketMove.state])
    func clientsFrameOfMove_closesTunnel(_ opcode: UInt8) async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            for payload in [[], ServedSocket.token] {
                let (client, served) = try await open(copies, gateway)
                try await client.send(TestFrame.text("before").masked, TestFrame(opcode, payload).masked)
                #expect(await client.readFrame() == .close(1002))
                #expect(await served.read() == .text("before"))
                #expect(await served.read() == .close(1002))
            }
        }
    }

    // MARK: Copies that fail

    /// It is asked to hand its sockets over, and the client does not notice.
    @Test func copyThatIsNotReady_losesItsSockets() async throws {
        let unready = Mutex<Int?>(nil)
        let copies = try await SocketCopies.start(2, isReady: { copy in unready.withLock { $0 != copy } })
        try await TestGateway.run([.seats: copies.upstreams]) { gateway in
            let (client, served) = try await open(copies, gateway)
            unready.withLock { $0 = served.copy }
            #expect(await served.read() == TestFrame(SocketMove.pause))
            try await client.send(TestFrame.text("before").masked)
            #expect(await served.read() == .text("before"))
            #expect(try await served.offer() == [])
            try await served.send(Self.state)
            let there = try #require(await copies.next())
            #expect(there.copy != served.copy)
            #expect(await there.read() == Self.state)
            try await there.send(Self.confirmation, .text("first"))
            #expect(await client.readFrame() == .text("first"))
        }
    }

    /// At once, without an answer of the client or of the copy.
    @Test func unreachableCopy_closesSockets() async throws {
        let copies = try await SocketCopies.start(2)
        try await TestGateway.run([.seats: copies.upstreams], configure: { $0.limits.tunnelDrainTime = .hours(1) }) {
            gateway in
            let (client, served) = try await open(copies, gateway)
            let port = try #require(served.connection.channel.localAddress?.port)
            let endpoint = try #require(gateway.gateway.directory.current[.seats]?.first { $0.address.port == port })
            let frame = Mutex<TestFrame?>(nil)
            async let read: Void = { [client] in
                let close = await client.readFrame()
                frame.withLock { $0 = close }
            }()
            // The gateway does not check an address whose check has begun.
            try await eventually {
                _ = endpoint.checked(.unreachable)
                _ = endpoint.beginCheck()
                return frame.withLock { $0 } == .close(1012)
            }
            await read
            #expect(await client.readToEnd().isEmpty)
            _ = await served.connection.readToEnd()
            try await eventually { outstanding(gateway) == 0 }
        }
    }
}
