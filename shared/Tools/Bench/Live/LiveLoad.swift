import NIOCore
import NIOPosix
import Sockets
import StackKit
import Synchronization

/// Many STOMP clients of one destination, on their own event loops, which only count messages.
final class LiveLoad: Sendable {
    private let url: String
    private let destination: String
    private let token: String
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    private let sockets = Mutex<[NIOLoopBound<WebSocket>]>([])
    private let tally = LiveTally()

    /// - Parameters:
    ///   - url: `ws://…`.
    ///   - token: The access token for CONNECT.
    init(url: String, destination: String, token: String) {
        self.url = url
        self.destination = destination
        self.token = token
    }

    /// The total number of messages received.
    var delivered: Int { tally.count(of: .message) }
    /// The bytes of the last message.
    var messageSize: Int { tally.messageSize.load(ordering: .relaxed) }

    /// Connects more clients, several at a time; returns when all are connected.
    func connect(_ count: Int) async throws {
        let connected = tally.count(of: .connected) + count
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<count {
                if number >= 64 { try await tasks.next() }
                tasks.addTask { try await self.connect() }
            }
            try await tasks.waitForAll()
        }
        try await tally.wait(for: .connected, connected)
    }

    private func connect() async throws {
        let tally = tally
        let socket = try await WebSocketClient.open(url, on: group.next()) { LiveClient(tally) }
        sockets.withLock { $0.append(socket) }
        send("CONNECT\naccept-version:1.1,1.2\nAuthorization:Bearer \(token)\n\n\0", on: socket)
    }

    /// Subscribes all connected clients, as the app does; returns when the server has confirmed all.
    func subscribe() async throws {
        let all = sockets.withLock { $0 }
        let receipts = all.count
        let already = tally.count(of: .receipt)
        for socket in all.dropFirst(already) {
            send("SUBSCRIBE\nid:\(destination)\ndestination:\(destination)\nack:auto\nreceipt:1\n\n\0", on: socket)
        }
        try await tally.wait(for: .receipt, receipts)
    }

    private func send(_ frame: String, on socket: NIOLoopBound<WebSocket>) {
        socket.eventLoop.execute {
            socket.value.write(.text, ByteBuffer(string: frame))
            socket.value.flush()
        }
    }

    /// Waits until this number of messages has been received.
    func wait(forDeliveries count: Int) async throws {
        try await tally.wait(for: .message, count)
    }

    func close() async throws {
        for socket in sockets.withLock({ $0 }) { socket.eventLoop.execute { socket.value.close(.normal) } }
        try await group.shutdownGracefully()
    }
}

/// The received frames of all clients.
private final class LiveTally: Sendable {
    enum Frame: Int, CaseIterable {
        case connected
        case receipt
        case message
        case refused
    }

    private let counts = Frame.allCases.map { _ in Count() }
    let messageSize = Atomic(1)

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    func add(_ frame: Frame) {
        counts[frame.rawValue].value.wrappingAdd(1, ordering: .relaxed)
    }

    func count(of frame: Frame) -> Int {
        counts[frame.rawValue].value.load(ordering: .relaxed)
    }

    /// - Throws: If a client was refused, or no frame has arrived for a while.
    func wait(for frame: Frame, _ target: Int) async throws {
        var (last, lastNews) = (0, ContinuousClock.now)
        while true {
            let now = count(of: frame)
            if now >= target { return }
            if now != last { (last, lastNews) = (now, .now) }
            guard count(of: .refused) == 0 else { throw StackError("the service refused a subscriber") }
            guard ContinuousClock.now - lastNews < .seconds(10) else {
                throw StackError("only \(now) of \(target) \(frame) frames have come")
            }
            try await Task.sleep(for: .microseconds(200))
        }
    }
}

/// One client. It parses only the first letter of a frame.
private final class LiveClient: WebSocketDelegate {
    private let tally: LiveTally

    init(_ tally: LiveTally) {
        self.tally = tally
    }

    func opened(_ socket: WebSocket) {}

    func received(_ message: WebSocketMessage) {
        guard case .text(let bytes) = message else { return }
        let letter: UInt8? = bytes.getInteger(at: bytes.readerIndex)
        switch letter {
        case UInt8(ascii: "M"):
            tally.messageSize.store(bytes.readableBytes, ordering: .relaxed)
            tally.add(.message)
        case UInt8(ascii: "R"): tally.add(.receipt)
        case UInt8(ascii: "C"): tally.add(.connected)
        case UInt8(ascii: "E"): tally.add(.refused)
        default: break
        }
    }

    func closed(_ end: WebSocketEnd) {}
}
