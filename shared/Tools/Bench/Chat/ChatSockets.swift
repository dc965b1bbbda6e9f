import AppClients
import Authentication
import NIOCore
import NIOPosix
import Sockets
import StackKit
import Synchronization

/// Idle sockets of Anlaka's users through the gateway, each in its own room.
final class ChatSockets: Sendable {
    /// The protocol of a socket.
    enum Wire: String, Sendable {
        /// The current app's protocol (Anlaka contract 5).
        case socketIO = "Socket.IO"
        /// The protocol of new clients.
        case stream = "STOMP"
    }

    /// A room, and the access token of the user whose socket opens it.
    struct Place: Sendable {
        var room: String
        var token: String

        var headers: [(String, String)] { [("SeSACKey", AppKey.anlaka), ("Authorization", token)] }
    }

    private let wire: Wire
    private let port: Int
    private let isDirect: Bool
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    private let sockets = Mutex<[NIOLoopBound<WebSocket>]>([])
    private let tally = ChatSocketTally()

    /// - Parameters:
    ///   - port: The port of the gateway, or of the service itself.
    ///   - isDirect: Whether it is the service, which is sent each place's token as the gateway's word for its caller.
    init(_ wire: Wire, port: Int, isDirect: Bool = false) {
        self.wire = wire
        self.port = port
        self.isDirect = isDirect
    }

    static let streamPath = "/v1/chats/stream"

    /// The number of messages that all sockets have received.
    var received: Int { tally.received }

    /// Opens a socket for each room, several at a time; returns when all are accepted.
    func open(_ places: [Place]) async throws {
        let expected = tally.ready + places.count
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (number, place) in places.enumerated() {
                if number >= 32 { try await tasks.next() }
                tasks.addTask { try await self.open(place) }
            }
            try await tasks.waitForAll()
        }
        try await tally.wait { $0.ready >= expected }
    }

    private func open(_ place: Place) async throws {
        let (wire, tally) = (wire, tally)
        let path = wire == .stream ? Self.streamPath : "/socket.io/?transport=websocket&EIO=4"
        let url = "ws://127.0.0.1:\(port)\(path)"
        let headers = isDirect ? [(InternalIdentity.header, place.token)] : place.headers
        let socket = try await WebSocketClient.open(url, headers: headers, on: group.next()) {
            ChatSocket(wire, room: place.room, tally)
        }
        sockets.withLock { $0.append(socket) }
    }

    /// Posts a message into a room, and waits until its socket has received it.
    ///
    /// - Returns: Milliseconds from the request to the response, and to the socket.
    func write(_ text: String, in place: Place) async throws -> (answered: Double, delivered: Double) {
        let body = #"{"content":"\#(text)","files":[]}"#
        let fields = place.headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        let request = BurstLoad.Request(
            port: port,
            text: """
                POST /v1/chats/\(place.room) HTTP/1.1\r\nHost: madang\r\n\(fields)Content-Type: application/json\r\n\
                Content-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
        )
        let received = tally.received
        let begin = Mutex(NIODeadline.now())
        let answers = try await BurstLoad.run([request], timeout: .seconds(10)) {
            begin.withLock { $0 = .now() }
        }
        guard let answer = answers.first, answer.isGood else {
            throw StackError("a message was refused: \(answers.first?.status ?? 0)")
        }
        try await tally.wait { $0.received > received }
        let delivered = tally.lastReceived - begin.withLock { $0 }
        return (Double(answer.time.nanoseconds) / 1_000_000, Double(delivered.nanoseconds) / 1_000_000)
    }

    func close() async throws {
        for socket in sockets.withLock({ $0 }) { socket.eventLoop.execute { socket.value.close(.normal) } }
        try await group.shutdownGracefully()
    }
}

/// The events of all sockets.
private final class ChatSocketTally: Sendable {
    private struct State {
        var ready = 0
        var received = 0
        var lastReceived = NIODeadline.now()
        var refusal: String?
    }

    private let state = Mutex(State())

    /// The number of sockets accepted into their rooms.
    var ready: Int { state.withLock { $0.ready } }
    /// The number of received messages.
    var received: Int { state.withLock { $0.received } }
    var lastReceived: NIODeadline { state.withLock { $0.lastReceived } }

    func joined() { state.withLock { $0.ready += 1 } }
    func refused(_ reason: String) { state.withLock { $0.refusal = reason } }

    func count() {
        state.withLock { state in
            state.received += 1
            state.lastReceived = .now()
        }
    }

    /// - Throws: If a socket was refused, or on a timeout.
    func wait(until isDone: (ChatSocketTally) -> Bool) async throws {
        let begin = ContinuousClock.now
        while !isDone(self) {
            if let refusal = state.withLock({ $0.refusal }) { throw StackError("a socket was refused: \(refusal)") }
            guard ContinuousClock.now - begin < .seconds(30) else { throw StackError("a socket receives nothing") }
            try await Task.sleep(for: .microseconds(200))
        }
    }
}

/// One socket. It parses only the necessary part of messages.
private final class ChatSocket: WebSocketDelegate {
    private let wire: ChatSockets.Wire
    private let room: String
    private let tally: ChatSocketTally
    private var socket: WebSocket?

    init(_ wire: ChatSockets.Wire, room: String, _ tally: ChatSocketTally) {
        self.wire = wire
        self.room = room
        self.tally = tally
    }

    func opened(_ socket: WebSocket) {
        self.socket = socket
        guard wire == .stream else { return }
        send("CONNECT\naccept-version:1.2\n\n\0")
        send("SUBSCRIBE\nid:1\ndestination:/topic/rooms.\(room)\nreceipt:1\n\n\0")
    }

    func received(_ message: WebSocketMessage) {
        guard case .text(let bytes) = message else { return }
        let text = String(buffer: bytes)
        switch wire {
        case .socketIO: receiveSocketIO(text)
        case .stream: receiveStream(text)
        }
    }

    private func receiveSocketIO(_ text: String) {
        if text.hasPrefix("42") {
            tally.count()
        } else if text == "2" {
            send("3")
        } else if text.hasPrefix("0") {
            send("40/chats-\(room),")
        } else if text.hasPrefix("40") {
            tally.joined()
        } else if text.hasPrefix("44") {
            tally.refused(text)
        }
    }

    private func receiveStream(_ text: String) {
        if text.hasPrefix("MESSAGE") {
            if text.contains("\nkind:event\n") { tally.count() }
        } else if text.hasPrefix("RECEIPT") {
            tally.joined()
        } else if text.hasPrefix("ERROR") {
            tally.refused(text)
        }
    }

    private func send(_ text: String) {
        socket?.write(.text, ByteBuffer(string: text))
        socket?.flush()
    }

    func closed(_ end: WebSocketEnd) {
        socket = nil
    }
}
