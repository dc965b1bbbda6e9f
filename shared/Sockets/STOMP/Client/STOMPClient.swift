package import NIOCore
import NIOPosix

/// A client of STOMP 1.2 over WebSocket, for tests, demonstrations and load.
package final class STOMPClient: Sendable {
    /// The server's CONNECTED frame.
    package let connected: STOMPFrame
    private let session: NIOLoopBound<STOMPClientSession>
    private let socket: NIOLoopBound<WebSocket>
    private let eventLoop: any EventLoop

    private init(
        _ session: NIOLoopBound<STOMPClientSession>,
        _ socket: NIOLoopBound<WebSocket>,
        _ eventLoop: any EventLoop,
        connected: STOMPFrame
    ) {
        self.session = session
        self.socket = socket
        self.eventLoop = eventLoop
        self.connected = connected
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - headers: The headers of CONNECT; `accept-version` defaults to 1.2.
    ///   - handshake: The HTTP headers of the handshake.
    ///   - longestSilence: How long the server may take for CONNECTED, and for each receipt.
    /// - Throws: `STOMPClientError`, or the error of opening the WebSocket.
    package static func connect(
        _ url: String,
        headers: [(String, String)] = [],
        handshake: [(String, String)] = [],
        longestSilence: TimeAmount = .seconds(30)
    ) async throws -> STOMPClient {
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let session = try await eventLoop.submit {
            NIOLoopBound(STOMPClientSession(eventLoop, longestSilence: longestSilence), eventLoop: eventLoop)
        }.get()
        let socket: NIOLoopBound<WebSocket>
        do {
            socket = try await WebSocketClient.open(url, headers: handshake, on: eventLoop) { session.value }
        } catch {
            // Fails the session's promises, which nothing will complete otherwise.
            eventLoop.execute { session.value.closed(.lost) }
            throw error
        }
        let version = headers.contains { $0.0 == "accept-version" } ? [] : [("accept-version", "1.2")]
        let connected = try await answer(session, on: eventLoop) {
            $0.connect(STOMPFrame("CONNECT", version + headers))
        }
        return STOMPClient(session, socket, eventLoop, connected: connected)
    }

    /// Subscribes, and returns when the server has confirmed the subscription.
    ///
    /// - Parameter id: The destination by default, as in SeatCatcher's app.
    /// - Returns: The messages, until the subscription or the connection ends; an ERROR frame is thrown.
    package func subscribe(
        _ destination: String,
        id: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> AsyncThrowingStream<STOMPFrame, any Error> {
        let id = id ?? destination
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: STOMPFrame.self)
        let receipt = "subscribe-\(id)"
        let frame = STOMPFrame(
            "SUBSCRIBE",
            [("id", id), ("destination", destination), ("ack", "auto"), ("receipt", receipt)] + headers
        )
        try await confirmed(frame, receipt) { $0.subscriptions[id] = continuation }
        return stream
    }

    /// Ends a subscription, and returns when the server has confirmed it.
    package func unsubscribe(id: String) async throws {
        let receipt = "unsubscribe-\(id)"
        try await confirmed(STOMPFrame("UNSUBSCRIBE", [("id", id), ("receipt", receipt)]), receipt)
        eventLoop.execute { [session] in session.value.subscriptions.removeValue(forKey: id)?.finish() }
    }

    /// Sends a message, and returns when the server has confirmed it.
    package func send(_ destination: String, _ body: String, headers: [(String, String)] = []) async throws {
        let receipt = "send-\(UInt64.random(in: 0 ... .max))"
        let own = [
            ("destination", destination), ("receipt", receipt), ("content-length", String(body.utf8.count)),
        ]
        try await confirmed(STOMPFrame("SEND", own + headers, body: ByteBuffer(string: body)), receipt)
    }

    /// Sends any frame.
    package func send(_ frame: STOMPFrame) {
        eventLoop.execute { [session] in session.value.send(frame) }
    }

    /// Sends DISCONNECT, waits for the receipt and for the end of the connection.
    @discardableResult
    package func disconnect() async throws -> WebSocketEnd {
        try await confirmed(STOMPFrame("DISCONNECT", [("receipt", "disconnect/safe")]), "disconnect/safe")
        return await end
    }

    /// Closes the WebSocket without DISCONNECT, as an iPhone does when it goes to sleep.
    package func close() {
        eventLoop.execute { [socket] in socket.value.close(.goingAway) }
    }

    /// Waits for the end of the connection.
    package var end: WebSocketEnd {
        get async {
            (try? await eventLoop.flatSubmit { [session] in session.value.ended.futureResult }.get()) ?? .lost
        }
    }

    private func confirmed(
        _ frame: STOMPFrame,
        _ receipt: String,
        _ prepare: @escaping @Sendable (STOMPClientSession) -> Void = { _ in }
    ) async throws {
        try await Self.answer(session, on: eventLoop) { session in
            prepare(session)
            return session.send(frame, confirmedBy: receipt)
        }
    }

    /// Waits for an answer of the server, until the task is cancelled.
    private static func answer<Value: Sendable>(
        _ session: NIOLoopBound<STOMPClientSession>,
        on eventLoop: any EventLoop,
        to ask: @escaping @Sendable (STOMPClientSession) -> EventLoopFuture<Value>
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await eventLoop.flatSubmit { ask(session.value) }.get()
        } onCancel: {
            eventLoop.execute { session.value.giveUp() }
        }
    }
}

/// Why a connection failed.
package enum STOMPClientError: Error, Sendable, Equatable {
    /// The server sent this ERROR frame.
    case error(STOMPFrame)
    /// The connection closed without an ERROR frame.
    case closed(WebSocketEnd)
    /// The server has not answered in time, or the task was cancelled before.
    case noAnswer

    /// The `message` header of the ERROR frame.
    package var message: String? {
        if case .error(let frame) = self { frame.headers["message"] } else { nil }
    }
}
