import FoundationEssentials
import NIOCore
import Sockets
import Testing

/// The client's STOMP connection: sends the frames that the unmodified client sends (SeatCatcher contract 2.2 to 2.4),
/// and parses received frames as it does.
actor AppSocket {
    private let socket: WebSocketClient
    private var frames: [AppFrame] = []
    private var subscriptions: Set<String> = []
    /// How the connection ended, if it did.
    private(set) var end: WebSocketEnd?

    struct Refused: Error {
        /// Nil when the socket closed without an ERROR.
        var message: String?
    }

    struct Waiting: Error, CustomStringConvertible {
        var description: String
    }

    /// Opens the socket and connects.
    ///
    /// - Throws: `Refused`.
    init(_ gateway: String, token: String) async throws {
        let bearer = "Bearer \(token)"
        socket = try await WebSocketClient.connect(
            "ws" + gateway.dropFirst(4) + "/seatcatcher",
            headers: [("Authorization", bearer)]
        )
        Task { [weak self, socket] in
            for await message in socket.messages { await self?.take(message) }
            let end = await socket.end
            await self?.close(end)
        }
        try await send("CONNECT\naccept-version:1.1,1.2\nAuthorization:\(bearer)\n\n\0")
        let answer = try await first { $0.command == "CONNECTED" || $0.command == "ERROR" }
        guard answer?.command == "CONNECTED" else {
            try await ended()
            throw Refused(message: answer?.headers["message"])
        }
    }

    private func take(_ message: WebSocketMessage) {
        guard case .text(let bytes) = message else {
            Issue.record("the client ignores binary messages")
            return
        }
        let text = String(buffer: bytes)
        guard text != "\n" else { return }
        do {
            let frame = try AppFrame(text)
            if let destination = frame.headers["destination"], !subscriptions.contains(destination) {
                Issue.record("the client has no subscription to \(destination)")
            }
            frames.append(frame)
        } catch {
            Issue.record(error)
        }
    }

    private func close(_ end: WebSocketEnd) {
        self.end = end
    }

    // MARK: Sent frames

    func send(_ frame: String) async throws {
        try await socket.send(frame)
    }

    func subscribe(_ destination: String) async throws {
        subscriptions.insert(destination)
        try await send("SUBSCRIBE\ndestination:\(destination)\nid:\(destination)\nack:auto\n\n\0")
    }

    /// The client drops the messages that still arrive for it.
    func unsubscribe(_ destination: String) async throws {
        try await send("UNSUBSCRIBE\nid:\(destination)\n\n\0")
        try await settle()
        subscriptions.remove(destination)
        frames.removeAll { $0.headers["destination"] == destination }
    }

    func disconnect() async throws {
        try await send("DISCONNECT\nreceipt:disconnect/safe\n\n\0")
        let receipt = try await first { $0.command == "RECEIPT" }
        #expect(receipt?.headers["receipt-id"] == "disconnect/safe")
        try await ended()
    }

    /// Cuts the connection without closing it, as a loss of reception does.
    func drop() async {
        _ = await socket.close(.normal)
    }

    /// Returns when all frames sent so far have taken effect. The client has no such call.
    func settle() async throws {
        let receipt = "settled-\(UInt32.random(in: 0 ... .max))"
        try await send("UNSUBSCRIBE\nid:\(receipt)\nreceipt:\(receipt)\n\n\0")
        guard try await first(where: { $0.headers["receipt-id"] == receipt }) != nil else {
            throw Refused(message: frames.first { $0.command == "ERROR" }?.headers["message"])
        }
    }

    // MARK: Received frames

    /// Waits for the next message of a destination, and removes it from the queue.
    func next<Value: Decodable>(_ destination: String, as type: Value.Type = Value.self) async throws -> Value {
        guard let frame = try await first(where: { $0.headers["destination"] == destination }) else {
            throw Waiting(description: "closed (\(String(describing: end))) before a message of \(destination)")
        }
        return try frame.value(type)
    }

    /// The received messages of a destination that are still in the queue.
    func waiting(_ destination: String) -> [AppFrame] {
        frames.filter { $0.headers["destination"] == destination }
    }

    /// Waits until the connection has ended; returns the ERROR's message.
    @discardableResult
    func ended() async throws -> String? {
        try await until("the socket is closed") { end != nil }
        return frames.first { $0.command == "ERROR" }?.headers["message"]
    }

    /// - Returns: nil when the connection ended first.
    private func first(where matches: (AppFrame) -> Bool) async throws -> AppFrame? {
        try await until("a frame") { end != nil || frames.contains(where: matches) }
        guard let index = frames.firstIndex(where: matches) else { return nil }
        return frames.remove(at: index)
    }

    private func until(_ what: String, _ holds: () -> Bool) async throws {
        for _ in 0..<4000 {
            if holds() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Waiting(description: "waited in vain for \(what)")
    }
}
