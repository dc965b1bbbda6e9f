import NIOCore
package import Sockets
import Synchronization

/// The app's STOMP connection: sends the frames that the unmodified app sends (SeatCatcher contract 2.2 to 2.4), and
/// parses received frames as it does.
package final class SeatCatcherSocket: Sendable {
    private let client: WebSocketClient
    private let mailbox = Mailbox<SeatCatcherFrame>()
    private let subscriptions = Mutex<Set<String>>([])
    private let observer: ClientObserver

    /// The server has refused a connection, or ended it.
    package struct Refused: Error {
        /// Nil when the socket closed without an ERROR.
        package var message: String?
    }

    /// Opens the socket and connects.
    ///
    /// - Parameter gateway: `http://host:port`.
    /// - Throws: `Refused`.
    package init(_ gateway: String, token: String, observer: @escaping ClientObserver) async throws {
        let bearer = "Bearer \(token)"
        observer(.sent("CONNECT /seatcatcher"))
        let client = try await WebSocketClient.connect(
            "ws" + gateway.dropFirst("http".count) + "/seatcatcher",
            headers: [("Authorization", bearer)]
        )
        self.client = client
        self.observer = observer
        Task { [weak self, mailbox] in
            for await message in client.messages { self?.take(message) }
            mailbox.finish(await client.end)
        }
        try await send("CONNECT\naccept-version:1.1,1.2\nAuthorization:\(bearer)\n\n\0")
        let answer = try await mailbox.first { $0.command == "CONNECTED" || $0.command == "ERROR" }
        guard let answer, answer.command == "CONNECTED" else {
            try await mailbox.ended()
            throw Refused(message: answer?.headers["message"])
        }
        observer(.received("CONNECTED version \(answer.headers["version"] ?? "?")"))
    }

    private func take(_ message: WebSocketMessage) {
        guard case .text(let bytes) = message else {
            return observer(.fault(ClientError("the app ignores binary messages")))
        }
        let text = String(buffer: bytes)
        guard text != "\n" else { return }
        do {
            let frame = try SeatCatcherFrame(text)
            let destination = frame.headers["destination"]
            if let destination, !subscriptions.withLock({ $0.contains(destination) }) {
                observer(.fault(ClientError("the app has no subscription to \(destination)")))
            }
            mailbox.append(frame)
        } catch {
            observer(.fault(error))
        }
    }

    // MARK: Sent frames

    package func send(_ frame: String) async throws {
        try await client.send(frame)
    }

    package func subscribe(_ destination: String) async throws {
        observer(.sent("SUBSCRIBE \(destination)"))
        subscriptions.withLock { _ = $0.insert(destination) }
        try await send("SUBSCRIBE\ndestination:\(destination)\nid:\(destination)\nack:auto\n\n\0")
    }

    /// Ends a subscription. The app drops the messages that still arrive for it.
    package func unsubscribe(_ destination: String) async throws {
        observer(.sent("UNSUBSCRIBE \(destination)"))
        try await send("UNSUBSCRIBE\nid:\(destination)\n\n\0")
        try await settle()
        subscriptions.withLock { _ = $0.remove(destination) }
        mailbox.removeAll { $0.headers["destination"] == destination }
    }

    package func disconnect() async throws {
        try await send("DISCONNECT\nreceipt:disconnect/safe\n\n\0")
        let receipt = try await mailbox.first { $0.command == "RECEIPT" }
        guard receipt?.headers["receipt-id"] == "disconnect/safe" else {
            throw ClientError("DISCONNECT has no receipt")
        }
        try await ended()
    }

    /// Closes the WebSocket without DISCONNECT.
    package func close() async {
        await client.close()
    }

    /// Returns when all frames sent so far have taken effect. The app has no such call.
    package func settle() async throws {
        let receipt = "settled-\(UInt32.random(in: 0 ... .max))"
        try await send("UNSUBSCRIBE\nid:\(receipt)\nreceipt:\(receipt)\n\n\0")
        guard try await mailbox.first(where: { $0.headers["receipt-id"] == receipt }) != nil else {
            throw Refused(message: errorMessage)
        }
    }

    // MARK: Received frames

    /// Waits for the next message of a destination, removes it, and reports it to the observer.
    package func next<Value: Decodable>(_ destination: String, as type: Value.Type = Value.self) async throws -> Value {
        try await next(destination) { _ in true }
    }

    /// Removes the messages of a destination up to one that fits, and reports that one to the observer: a screen shows
    /// only the last.
    package func next<Value: Decodable>(_ destination: String, where fits: (Value) -> Bool) async throws -> Value {
        while true {
            guard let frame = try await mailbox.first(where: { $0.headers["destination"] == destination }) else {
                throw ClientError("the connection ended (\(end ?? .lost)) before a message of \(destination)")
            }
            let value: Value = try frame.value()
            guard fits(value) else { continue }
            observer(.received("MESSAGE \(destination)", body: frame.body))
            return value
        }
    }

    /// The messages of a destination that have not been read.
    package func unread(_ destination: String) -> [SeatCatcherFrame] {
        mailbox.unread.filter { $0.headers["destination"] == destination }
    }

    /// How the connection ended; nil while it is open.
    package var end: WebSocketEnd? { mailbox.end }

    private var errorMessage: String? { mailbox.unread.first { $0.command == "ERROR" }?.headers["message"] }

    /// Waits until the connection has ended; returns the message of the ERROR frame.
    @discardableResult
    package func ended() async throws -> String? {
        let end = try await mailbox.ended()
        if let errorMessage { observer(.received("ERROR \(errorMessage)")) }
        if case .closedByPeer(let code, _) = end {
            observer(.received("closed with \(code.map { "\($0.rawValue)" } ?? "no code")"))
        }
        return errorMessage
    }
}
