package import NIOCore
import NIOPosix

/// A WebSocket client for tests, demonstrations and load.
package final class WebSocketClient: Sendable {
    /// The received messages, in order, until the connection ends. The buffer is unbounded, so they must be read.
    package let messages: AsyncStream<WebSocketMessage>
    private let ended: EventLoopFuture<WebSocketEnd>
    private let socket: NIOLoopBound<WebSocket>

    private init(_ socket: NIOLoopBound<WebSocket>, _ inbox: Inbox) {
        self.socket = socket
        self.messages = inbox.stream
        self.ended = inbox.promise.futureResult
    }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - url: `ws://host[:port][/path][?query]`.
    ///   - headers: Sent with the handshake; `Sec-WebSocket-Protocol` offers subprotocols.
    /// - Throws: `WebSocketClientError`, or the error of the connection.
    package static func connect(
        _ url: String,
        headers: [(String, String)] = [],
        limits: WebSocketLimits = clientLimits
    ) async throws -> WebSocketClient {
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let inbox = Inbox(eventLoop)
        do {
            let socket = try await open(url, headers: headers, limits: limits, on: eventLoop) { InboxDelegate(inbox) }
            return WebSocketClient(socket, inbox)
        } catch {
            inbox.end(.lost)
            throw error
        }
    }

    /// Opens a connection with a delegate, on its event loop and without a task.
    package static func open(
        _ url: String,
        headers: [(String, String)] = [],
        limits: WebSocketLimits = clientLimits,
        on eventLoop: any EventLoop,
        delegate: @escaping @Sendable () -> any WebSocketDelegate
    ) async throws -> NIOLoopBound<WebSocket> {
        let request = try WebSocketRequest(url, headers: headers)
        let promise = eventLoop.makePromise(of: NIOLoopBound<WebSocket>.self)
        do {
            _ = try await ClientBootstrap(group: eventLoop)
                .connectTimeout(.seconds(5))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let socket = WebSocket(.client, on: eventLoop, limits: limits, delegate: delegate())
                        let handshake = ClientHandshake(request, socket: socket, promise: promise)
                        try channel.pipeline.syncOperations.addHandler(handshake)
                    }
                }
                .connect(host: request.host, port: request.port)
                .get()
        } catch {
            promise.fail(error)
        }
        return try await promise.futureResult.get()
    }

    /// The limits of a client, which accepts larger messages than a server.
    package static var clientLimits: WebSocketLimits {
        var limits = WebSocketLimits()
        limits.messageSize = 16 * 1024 * 1024
        return limits
    }

    /// Sends a text message; returns when the system has accepted it.
    package func send(_ text: String) async throws {
        try await send(.text, ByteBuffer(string: text))
    }

    /// Sends a frame; returns when the system has accepted it.
    package func send(_ opcode: Opcode, _ payload: ByteBuffer) async throws {
        let eventLoop = ended.eventLoop
        try await eventLoop.flatSubmit { [socket] in
            let sent = eventLoop.makePromise(of: Void.self)
            socket.value.write(opcode, payload, promise: sent)
            socket.value.flush()
            return sent.futureResult
        }.get()
    }

    /// Sends a ping; the pong counts as activity and is not delivered.
    package func ping() async throws {
        try await send(.ping, ByteBuffer())
    }

    /// Performs the closing handshake; returns when the connection is closed.
    @discardableResult
    package func close(_ code: CloseCode = .normal) async -> WebSocketEnd {
        ended.eventLoop.execute { [socket] in socket.value.close(code) }
        return await end
    }

    /// Closes the connection without a Close frame, like an iPhone that loses its network; returns when it is closed.
    package func abort() async {
        ended.eventLoop.execute { [socket] in socket.value.abort() }
        _ = await end
    }

    /// Waits for the end of the connection.
    package var end: WebSocketEnd {
        get async { (try? await ended.get()) ?? .lost }
    }
}

/// The buffer of received messages.
private struct Inbox: Sendable {
    let stream: AsyncStream<WebSocketMessage>
    let continuation: AsyncStream<WebSocketMessage>.Continuation
    let promise: EventLoopPromise<WebSocketEnd>

    init(_ eventLoop: any EventLoop) {
        (stream, continuation) = AsyncStream.makeStream()
        promise = eventLoop.makePromise()
    }

    func end(_ end: WebSocketEnd) {
        continuation.finish()
        promise.succeed(end)
    }
}

private final class InboxDelegate: WebSocketDelegate {
    private let inbox: Inbox

    init(_ inbox: Inbox) {
        self.inbox = inbox
    }

    func opened(_ socket: WebSocket) {}

    func received(_ message: WebSocketMessage) {
        inbox.continuation.yield(message)
    }

    func closed(_ end: WebSocketEnd) {
        inbox.end(end)
    }
}
