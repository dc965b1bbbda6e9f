import NIOCore
import NIOEmbedded
import TestKit
import Testing

@testable import Sockets

/// The deadlines and the end of a socket, and slow readers, on an event loop whose time the test sets.
struct WebSocketTests {
    private final class Listener: WebSocketDelegate {
        var socket: WebSocket?
        var messages: [WebSocketMessage] = []
        var end: WebSocketEnd?

        func opened(_ socket: WebSocket) { self.socket = socket }
        func received(_ message: WebSocketMessage) { messages.append(message) }
        func closed(_ end: WebSocketEnd) { self.end = end }
    }

    private let channel = EmbeddedChannel()
    private let listener = Listener()

    private func open(_ limits: WebSocketLimits = WebSocketLimits()) throws -> WebSocket {
        let socket = WebSocket(.server, on: channel.eventLoop, limits: limits, delegate: listener)
        try channel.pipeline.syncOperations.addHandler(socket)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return socket
    }

    private func written() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += Array(buffer.readableBytesView) }
        return bytes
    }

    @Test func closedSocket_acceptsNoWrites() throws {
        let socket = try open()
        socket.close(.goingAway, "bye")
        #expect(try written() == [0x88, 5, 0x03, 0xe9, 0x62, 0x79, 0x65])
        socket.write(.text, ByteBuffer(string: "late"))
        socket.flush()
        socket.close(.normal)
        #expect(try written().isEmpty && !socket.isOpen)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
        #expect(listener.end == .closedHere(.goingAway, reason: "bye"))
    }

    @Test func serverShutdown_sendsCloseFrame() throws {
        _ = try open()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try written().prefix(4) == [0x88, 26, 0x03, 0xe9])
        try channel.writeInbound(ByteBuffer(bytes: Wire.close(1001).bytes))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    @Test func silentPeer_isPinged_andDisconnected() throws {
        let socket = try open()
        for _ in 0..<3 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(15))
            #expect(try written() == [0x89, 0])
            channel.embeddedEventLoop.advanceTime(by: .seconds(14))
            try channel.writeInbound(ByteBuffer(bytes: Wire.pong([]).bytes))
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(try socket.isOpen && written() == [0x89, 0])
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try !socket.isOpen && written().prefix(4) == [0x88, 21, 0x03, 0xf0])
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(listener.end == .closedHere(.policyViolation, reason: "silent for too long"))
    }

    @Test func lateTimer_pingsBeforeItDisconnects() throws {
        let socket = WebSocket(.server, on: channel.eventLoop, limits: WebSocketLimits(), delegate: listener)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        try channel.pipeline.syncOperations.addHandler(socket)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        #expect(try socket.isOpen && written() == [0x89, 0])
        try channel.writeInbound(ByteBuffer(bytes: Wire.pong([]).bytes))
        channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        #expect(socket.isOpen)
    }

    @Test func pausedReading_doesNotCountAsSilence() throws {
        let socket = try open()
        socket.pauseReading()
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(socket.isOpen, "a peer is not silent while reading is paused")
        socket.resumeReading()
        try channel.writeInbound(ByteBuffer(bytes: Wire.text("a").bytes))
        #expect(listener.messages == [.text(ByteBuffer(string: "a"))])
    }

    @Test func framesOfOneRead_areAnsweredWithOneFlush() throws {
        _ = try open()
        try channel.writeInbound(ByteBuffer(bytes: (0..<3).flatMap { Wire.ping([$0]).bytes }))
        #expect(try written() == [0x8a, 1, 0, 0x8a, 1, 1, 0x8a, 1, 2])
    }
}
