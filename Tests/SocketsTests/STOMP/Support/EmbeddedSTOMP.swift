import Contracts
import HTTPTypes
import NIOCore
import NIOEmbedded
import TestKit
import Testing

@testable import Sockets

/// A server's STOMP connection without a network, with a clock of its own; and the gateway that moves it.
final class EmbeddedSTOMP {
    let channel = NIOAsyncTestingChannel()
    private var written = ByteBuffer()

    /// Nothing ends by time, because tests advance the clock for the flushes of hubs.
    static func limits(resumeTime: Duration = .seconds(60)) -> STOMPLimits {
        var limits = STOMPLimits()
        limits.connectTime = .hours(100)
        limits.resumeTime = resumeTime
        limits.socket.pingTime = .hours(100)
        limits.socket.silenceTime = .hours(200)
        limits.socket.moveTime = .hours(100)
        return limits
    }

    static func open(_ endpoint: any WebSocketEndpoint, name: String? = nil) async throws -> EmbeddedSTOMP {
        let server = EmbeddedSTOMP()
        let loop = server.channel.eventLoop
        var handshake = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        if let name, let field = HTTPField.Name("name") { handshake.headerFields[field] = name }
        try await server.start { [handshake] in
            let delegate = endpoint.delegate(for: handshake, on: loop)
            return WebSocket(.server, on: loop, limits: endpoint.limits, delegate: delegate, movesAs: "test")
        }
        return server
    }

    /// A connection that comes from another copy.
    static func arriving(_ endpoint: any WebSocketEndpoint, _ state: [UInt8]) async throws -> EmbeddedSTOMP {
        let server = EmbeddedSTOMP()
        let loop = server.channel.eventLoop
        try await server.start { WebSocket(receivingOn: loop) { _ in endpoint } }
        try await server.receive(.data(SocketMove.state, state))
        return server
    }

    private func start(_ socket: @escaping @Sendable () -> WebSocket) async throws {
        let channel = channel
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(socket())
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    }

    // MARK: Frames

    func receive(_ frame: Wire) async throws {
        try await channel.writeInbound(ByteBuffer(bytes: frame.bytes))
    }

    func receive(_ text: String) async throws { try await receive(.data(0x2, Array(text.utf8))) }

    /// The next frame that the server sends.
    ///
    /// - Parameter isTimed: Whether the clock stands still.
    func next(isTimed: Bool = false) async throws -> Wire {
        while true {
            if let frame = parse() { return frame }
            if let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
                written.writeImmutableBuffer(bytes)
            } else {
                await channel.testingEventLoop.advanceTime(by: isTimed ? .zero : .milliseconds(40))
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// The text of the next frame.
    func text(isTimed: Bool = false) async throws -> String {
        String(decoding: try await next(isTimed: isTimed).payload, as: UTF8.self)
    }

    private func parse() -> Wire? {
        var rest = written
        let first: UInt8? = rest.getInteger(at: rest.readerIndex)
        guard let first, let header = try? FrameHeader(readingFrom: &rest, allowing: true),
            let payload = rest.readBytes(length: header.length)
        else { return nil }
        written = rest
        return Wire(first: first, payload: payload, isMasked: false)
    }

    // MARK: Moving

    /// Asks the connection to leave, and answers its offer.
    func beginLeaving() async throws {
        let channel = channel
        try await channel.testingEventLoop.executeInContext {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// - Returns: What the server sent before the state, and the state.
    func leave(isTimed: Bool = false) async throws -> (before: [String], state: [UInt8]) {
        try await beginLeaving()
        var before: [String] = []
        while true {
            let frame = try await next(isTimed: isTimed)
            switch frame.first & 0x0f {
            case SocketMove.pause: try await receive(.data(SocketMove.pause, frame.payload))
            case SocketMove.state: return (before, frame.payload)
            case 0x8: throw Closed(frame: frame)
            default: before.append(String(decoding: frame.payload, as: UTF8.self))
            }
        }
    }

    /// Moves to another copy, which confirms.
    func move(to endpoint: any WebSocketEndpoint, isTimed: Bool = false) async throws
        -> (before: [String], server: EmbeddedSTOMP)
    {
        let (before, state) = try await leave(isTimed: isTimed)
        try await close()
        let server = try await Self.arriving(endpoint, state)
        let answer = try await server.next(isTimed: isTimed)
        guard answer == Wire(first: 0x83, payload: [], isMasked: false) else { throw Closed(frame: answer) }
        return (before, server)
    }

    /// Ends the connection without a Close frame.
    func close() async throws {
        try await channel.close().get()
        await channel.testingEventLoop.advanceTime(by: .zero)
    }

    struct Closed: Error { let frame: Wire }
}
