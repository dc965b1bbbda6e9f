import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOEmbedded
import TestKit
import Testing
import Values

@testable import Sockets

/// Moves of connections between two copies of a service.
@Suite(.timeLimit(.minutes(3))) struct SocketIOMoveTests {
    private typealias Copy = RunningCopy<SocketService>

    private let old = Lobby()
    private let new = Lobby()

    private static func start(_ lobby: Lobby) async throws -> Copy {
        try await start(SocketIOEndpoint(lobby))
    }

    private static func start(_ endpoint: SocketIOEndpoint<Lobby>) async throws -> Copy {
        try await Copy.start { try await SocketService.run(endpoint, $0) }
    }

    /// Opens a connection, and reads its first packet.
    private static func open(at copy: Copy) async throws -> MovableSocket {
        let socket = try await MovableSocket.open(
            at: copy.value.port,
            of: .seats,
            SocketService.path + SocketIOWire.query,
            as: InternalIdentity(caller: .gateway, app: .seatcatcher),
            headers: [("User-Agent", "phone")]
        )
        #expect(await socket.read()?.text.hasPrefix("0{\"sid\":") == true)
        return socket
    }

    /// Lets a copy end, and takes a socket from it.
    private static func end(
        _ copy: Copy,
        taking socket: MovableSocket
    ) async throws -> (before: [MovableSocket.Frame], state: MovableSocket.Frame) {
        copy.beginEnd()
        let left = try await socket.leave()
        await socket.connection.close()
        return left
    }

    private static func emit(_ json: String, to socket: SocketIOSocket) {
        socket.emit(SocketIOEvent("chat", ByteBuffer(string: json), in: socket.namespace))
    }

    @Test func movedSocket_goesOnUnnoticed() async throws {
        let (first, second) = (try await Self.start(old), try await Self.start(new))
        let socket = try await Self.open(at: first)
        try await socket.send("40/open,")
        let accepted = await socket.read()?.text
        let id = try #require(old.sockets.first).id
        #expect(accepted == #"40/open,{"sid":"\#(id)"}"#)
        try await socket.send("40/open-2,")
        #expect(await socket.read()?.text.hasPrefix("40/open-2,") == true)
        for number in 1...3 { Self.emit("\(number)", to: old.sockets[0]) }
        let (before, state) = try await Self.end(first, taking: socket)
        // The last are emitted by the service while it suspends the members.
        let events = (1...3).map { #"42/open,["chat",\#($0)]"# } + [#"42/open,["chat","last"]"#]
        #expect(before.map(\.text) == events + [#"42/open-2,["chat","last"]"#])
        #expect(old.log.suffix(2) == ["suspend /open phone", "suspend /open-2 phone"])

        let arrived = try await socket.arrive(at: second.value.port, with: state)
        await new.happened(4)
        #expect(
            Set(new.log) == [
                "resume /open position of phone", "connect /open -", "resume /open-2 position of phone",
                "connect /open-2 -",
            ]
        )
        let resumed = try #require(new.sockets.first { $0.namespace == "/open" })
        #expect(resumed.id == id)
        Self.emit("4", to: resumed)
        #expect(await arrived.read()?.text == #"42/open,["chat",4]"#)
        try await arrived.send("40/open,")
        #expect(await arrived.read()?.text == #"40/open,{"sid":"\#(id)"}"#)
        try await arrived.send("41/open,")
        await new.happened(5)
        #expect(new.log.last == "disconnected /open phone")
        await arrived.connection.close()
        await new.happened(6)
        #expect(new.log.last == "disconnected /open-2 phone")
        for copy in [first, second] { try await copy.end() }
    }

    @Test func pendingConnection_isDecidedBeforeTheMove() async throws {
        let (first, second) = (try await Self.start(old), try await Self.start(new))
        let socket = try await Self.open(at: first)
        try await socket.send("40/slow,")
        await old.happened(1)
        async let ended: Void = first.end()
        let pause = try #require(await socket.read())
        #expect(pause.opcode == SocketMove.pause)
        try await socket.send(pause)
        try await socket.send(MovableSocket.Frame(opcode: 0x9, payload: [1]))
        #expect(await socket.read() == MovableSocket.Frame(opcode: 0xa, payload: [1]))
        old.open()
        let (before, state) = try await socket.leave()
        await socket.connection.close()
        try await ended
        let id = old.sockets[0].id
        #expect(before.map(\.text) == [#"40/slow,{"sid":"\#(id)"}"#, #"42/slow,["chat","last"]"#])
        // The new copy sends events while it still decides.
        let arrived = try await socket.arrive(at: second.value.port, with: state)
        await new.happened(2)
        Self.emit("1", to: new.sockets[0])
        #expect(await arrived.read()?.text == #"42/slow,["chat",1]"#)
        #expect(new.sockets[0].id == id)
        new.open()
        Self.emit("2", to: new.sockets[0])
        #expect(await arrived.read()?.text == #"42/slow,["chat",2]"#)
        await arrived.connection.close()
        for copy in [first, second] { try await copy.end() }
    }

    @Test func refusedMembership_isDisconnected() async throws {
        let refusing = Lobby(resumes: false)
        let (first, second) = (try await Self.start(old), try await Self.start(refusing))
        let socket = try await Self.open(at: first)
        try await socket.send("40/open,")
        let (_, state) = try await Self.end(first, taking: socket)
        let arrived = try await socket.arrive(at: second.value.port, with: state)
        #expect(await arrived.read()?.text == "41/open,")
        try await arrived.send("40/open,")
        #expect(await arrived.read()?.text.hasPrefix("40/open,{") == true)
        await arrived.connection.close()
        for copy in [first, second] { try await copy.end() }
    }

    @Test func expiry_endsMovedSocket() async throws {
        let limited = Lobby(isLimited: true)
        let (first, second) = (try await Self.start(old), try await Self.start(limited))
        let socket = try await Self.open(at: first)
        let (_, state) = try await Self.end(first, taking: socket)
        let arrived = try await socket.arrive(at: second.value.port, with: state)
        let close = await arrived.read()
        #expect(close?.opcode == 0x8 && close?.text.hasSuffix("the access token has expired") == true)
        await arrived.connection.close()
        for copy in [first, second] { try await copy.end() }
    }

    @Test func visitor_isKnownToTheNewCopy() async throws {
        let endpoint = SocketIOEndpoint(new)
        let (first, second) = (try await Self.start(old), try await Self.start(endpoint))
        let socket = try await Self.open(at: first)
        let (_, state) = try await Self.end(first, taking: socket)
        let arrived = try await socket.arrive(at: second.value.port, with: state)
        endpoint.closeAll(.policyViolation, "the session has ended") { $0 == "phone" }
        #expect(await arrived.read()?.opcode == 0x8)
        await arrived.connection.close()
        for copy in [first, second] { try await copy.end() }
    }

    // MARK: States

    private static func state() throws -> ByteBuffer {
        let state = SocketIOState(
            visitor: "phone",
            pingTime: 20_000,
            members: [.init(namespace: "/open", id: "id", position: "position")]
        )
        return ByteBuffer(bytes: try JSONEncoder().encode(state))
    }

    @Test func truncatedState_isRefused() throws {
        let endpoint = SocketIOEndpoint(new)
        let loop = EmbeddedEventLoop()
        let state = try Self.state()
        _ = try endpoint.delegate(resuming: state, on: loop)
        for length in 0..<state.readableBytes {
            let part = try #require(state.getSlice(at: 0, length: length))
            #expect(throws: (any Error).self) { try endpoint.delegate(resuming: part, on: loop) }
        }
    }

    /// Such a state may by chance be valid.
    @Test(arguments: 0..<8) func mutatedState_doesNotCrash(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let endpoint = SocketIOEndpoint(new)
        let loop = EmbeddedEventLoop()
        for _ in 0..<500 {
            var bytes = Array(try Self.state().readableBytesView)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
            }
            _ = try? endpoint.delegate(resuming: ByteBuffer(bytes: bytes), on: loop)
            bytes = (0..<100).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            #expect(throws: (any Error).self) { try endpoint.delegate(resuming: ByteBuffer(bytes: bytes), on: loop) }
        }
    }

    @Test(arguments: [Int64.min, -1, .max]) func pingTimeBeyondInterval_isLimited(_ time: Int64) throws {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let deadlines = SocketIODeadlines(SocketIOLimits(), stay: nil, pingTime: .milliseconds(time), now: start)
        #expect(deadlines.pingTime(start) == .seconds(time > 0 ? 25 : 0))
    }
}
