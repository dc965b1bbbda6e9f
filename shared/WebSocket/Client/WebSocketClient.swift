package import NIOCore
import NIOPosix

/// The client's end of a WebSocket: for tests, demonstrations and load.
package final class WebSocketClient: Sendable {
    /// What comes, in order, until the connection ends. Nothing is dropped, so it has to be read.
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
    ///   - headers: sent with the handshake; `Sec-WebSocket-Protocol` offers subprotocols.
    /// - Throws: `WebSocketClientError`, or what went wrong with the connection.
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

    /// Opens a connection that a delegate listens to, on its event loop and without a task.
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

    /// A client takes larger messages than a server.
    package static var clientLimits: WebSocketLimits {
        var limits = WebSocketLimits()
        limits.messageSize = 16 * 1024 * 1024
        return limits
    }

    /// Sends a text message; returns when the system has taken it.
    package func send(_ text: String) async throws {
        try await send(.text, ByteBuffer(string: text))
    }

    /// Sends a frame; returns when the system has taken it.
    package func send(_ opcode: Opcode, _ payload: ByteBuffer) async throws {
        let eventLoop = ended.eventLoop
        try await eventLoop.flatSubmit { [socket] in
            let sent = eventLoop.makePromise(of: Void.self)
            socket.value.write(opcode, payload, promise: sent)
            socket.value.flush()
            return sent.futureResult
        }.get()
    }

    /// Sends a ping; the pong counts as life and is not shown.
    package func ping() async throws {
        try await send(.ping, ByteBuffer())
    }

    /// Does the closing handshake; returns when the connection is gone.
    @discardableResult
    package func close(_ code: CloseCode = .normal) async -> WebSocketEnd {
        ended.eventLoop.execute { [socket] in socket.value.close(code) }
        return await end
    }

    /// Breaks the connection without a word, as a phone in a tunnel does; returns when it is gone.
    package func abort() async {
        ended.eventLoop.execute { [socket] in socket.value.abort() }
        _ = await end
    }

    /// How the connection ended; waits for it.
    package var end: WebSocketEnd {
        get async { (try? await ended.get()) ?? .lost }
    }
}

/// Where messages wait for the one who reads them.
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
