import Contracts
import HTTPTypes
import NIOCore
import NIOEmbedded
import TestKit
import Testing

@testable import Sockets

/// Moves of a socket between two copies of a service (`SocketMove`), seen from both.
struct WebSocketMoveTests {
    /// Moves with the messages that it has received.
    private final class Collector: WebSocketDelegate {
        var socket: WebSocket?
        var messages: [String]
        var end: WebSocketEnd?
        var leave: ((ByteBuffer?) -> Void)?
        private let isResumed: Bool

        init(_ messages: [String] = [], isResumed: Bool = false) {
            self.messages = messages
            self.isResumed = isResumed
        }

        func opened(_ socket: WebSocket) {
            self.socket = socket
            if isResumed { socket.confirmMove() }
        }

        func received(_ message: WebSocketMessage) {
            if case .text(let text) = message { messages.append(String(buffer: text)) }
        }

        func suspend(_ leave: @escaping (ByteBuffer?) -> Void) { self.leave = leave }
        func closed(_ end: WebSocketEnd) { self.end = end }
    }

    private struct CollectorEndpoint: WebSocketEndpoint {
        let subprotocols: [String] = []
        var limits: WebSocketLimits {
            var limits = WebSocketLimits()
            limits.messageSize = 128 * 1024
            return limits
        }

        func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate { Collector() }

        func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate {
            guard state.readableBytes > 0 else { throw SocketStateFault() }
            return Collector(String(buffer: state).split(separator: ",").map(String.init), isResumed: true)
        }
    }

    private let channel = EmbeddedChannel()
    private let collector = Collector()

    private func add(_ socket: WebSocket) throws {
        try channel.pipeline.syncOperations.addHandler(socket)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func open(movesAs name: String?) throws {
        try add(
            WebSocket(.server, on: channel.eventLoop, limits: WebSocketLimits(), delegate: collector, movesAs: name)
        )
    }

    private func receive(_ frames: Wire...) throws {
        try channel.writeInbound(ByteBuffer(bytes: frames.flatMap(\.bytes)))
    }

    private func written() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += Array(buffer.readableBytesView) }
        return bytes
    }

    /// The token of the offer that the socket writes when its copy ends.
    private func offer() throws -> [UInt8] {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        let offer = try written()
        #expect(offer.prefix(2) == [0x8b, 8] && offer.count == 10)
        return Array(offer.dropFirst(2))
    }

    // MARK: Leaving

    @Test func endingCopy_offersSocket_andSendsStateAfterLastAnswer() throws {
        try open(movesAs: "chat /chat")
        let token = try offer()
        // The socket is served until the gateway answers.
        try receive(.text("a"))
        try receive(.text("b"), .data(SocketMove.pause, token))
        #expect(collector.messages == ["a", "b"])
        collector.socket?.write(.text, ByteBuffer(string: "answer"))
        let leave = try #require(collector.leave)
        leave(ByteBuffer(string: "state"))
        let state = [UInt8]("chat /chat\nstate".utf8)
        #expect(try written() == [0x81, 6] + Array("answer".utf8) + [0x83, UInt8(state.count)] + state)
        collector.socket?.write(.text, ByteBuffer(string: "late"))
        collector.socket?.flush()
        #expect(try written().isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive && collector.end == .moved)
    }

    @Test func gatewayThatAsks_getsOffer() throws {
        try open(movesAs: "chat /chat")
        try receive(.data(SocketMove.pause, []))
        let offer = try written()
        #expect(offer.prefix(2) == [0x8b, 8] && offer.count == 10)
        try receive(.text("a"), .data(SocketMove.pause, Array(offer.dropFirst(2))))
        #expect(collector.messages == ["a"])
        let leave = try #require(collector.leave)
        leave(ByteBuffer(string: "state"))
        #expect(try written().first == 0x83)
    }

    @Test func socketOfOtherGateway_isClosed() throws {
        try open(movesAs: nil)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try written().prefix(4) == [0x88, 26, 0x03, 0xe9])
    }

    @Test func unansweredOffer_closesSocket() throws {
        try open(movesAs: "chat /chat")
        _ = try offer()
        channel.embeddedEventLoop.advanceTime(by: .seconds(19))
        #expect(try written().isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try written().prefix(4) == [0x88, 26, 0x03, 0xe9])
    }

    @Test func delegateWithoutState_closesSocket() throws {
        try open(movesAs: "chat /chat")
        try receive(.data(SocketMove.pause, try offer()))
        let leave = try #require(collector.leave)
        leave(nil)
        #expect(try written().prefix(4) == [0x88, 26, 0x03, 0xe9])
    }

    @Test func stateBeyondLimit_closesSocket() throws {
        try open(movesAs: "chat /chat")
        try receive(.data(SocketMove.pause, try offer()))
        let leave = try #require(collector.leave)
        leave(ByteBuffer(repeating: 1, count: SocketMove.stateSize))
        #expect(try written().prefix(4) == [0x88, 26, 0x03, 0xe9])
    }

    @Test func clientClosingMeanwhile_isAnswered() throws {
        try open(movesAs: "chat /chat")
        _ = try offer()
        try receive(.close(1000))
        #expect(try written() == [0x88, 2, 0x03, 0xe8])
        #expect(collector.leave == nil)
    }

    /// A client does not know the token.
    @Test(
        arguments: [
            (Wire.data(SocketMove.pause, [1, 2, 3, 4, 5, 6, 7, 8]), false),
            (.data(SocketMove.pause, [1, 2, 3, 4, 5, 6, 7, 8]), true), (.data(SocketMove.pause), true),
            (.data(SocketMove.state, [65]), false), (.data(SocketMove.state, [65]), true),
        ]
    )
    func forgedFrame_isRefused(_ frame: Wire, isOffered: Bool) throws {
        try open(movesAs: "chat /chat")
        if isOffered { _ = try offer() }
        try receive(frame)
        let close = try written()
        #expect(close.first == 0x88 && close[2...3] == [0x03, 0xea])
        #expect(collector.leave == nil)
    }

    @Test func forgedAnswerToOffer_isRefused() throws {
        try open(movesAs: "chat /chat")
        var token = try offer()
        token[7] ^= 1
        try receive(.data(SocketMove.pause, token))
        #expect(try written()[2...3] == [0x03, 0xea])
        #expect(collector.leave == nil)
    }

    @Test func messageAfterAnswer_isRefused() throws {
        try open(movesAs: "chat /chat")
        try receive(.data(SocketMove.pause, try offer()), .text("late"))
        #expect(try written()[2...3] == [0x03, 0xea])
        #expect(collector.messages.isEmpty)
    }

    // MARK: Arriving

    private func expectComing() throws {
        try add(WebSocket(receivingOn: channel.eventLoop) { $0 == "chat /chat" ? CollectorEndpoint() : nil })
    }

    @Test func arrivedSocket_continuesAndMovesAgain() throws {
        try expectComing()
        try receive(.data(SocketMove.state, Array("chat /chat\na,b".utf8)), .text("c"))
        #expect(try written() == [0x83, 0])
        // The limit is that of the endpoint.
        try receive(.data(0x1, Array(repeating: 0x64, count: 100_000)))
        #expect(try written().isEmpty)
        let token = try offer()
        try receive(.data(SocketMove.pause, token))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    }

    @Test(arguments: ["chat /chat\n", "chat /other\na", "chat /chat", ""])
    func unknownState_isRefusedAsInternalError(_ state: String) throws {
        try expectComing()
        try receive(.data(SocketMove.state, Array(state.utf8)))
        let close = try written()
        #expect(close.first == 0x88 && close[2...3] == [0x03, 0xf3])
    }

    @Test func messageBeforeState_isRefused() throws {
        try expectComing()
        try receive(.text("early"))
        #expect(try written()[2...3] == [0x03, 0xea])
    }

    @Test func secondState_isRefused() throws {
        try expectComing()
        try receive(.data(SocketMove.state, Array("chat /chat\na".utf8)), .data(SocketMove.state, [65]))
        #expect(try written()[4...5] == [0x03, 0xea])
    }

    @Test func stateThatNeverComes_endsConnection() throws {
        try expectComing()
        channel.embeddedEventLoop.advanceTime(by: .seconds(15))
        channel.embeddedEventLoop.advanceTime(by: .seconds(17))
        #expect(!channel.isActive)
    }
}
