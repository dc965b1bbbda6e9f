import NIOCore
import NIOEmbedded
import Testing

@testable import Sockets

/// Deliveries to one subscription, on an event loop whose time the test sets.
struct STOMPDeliveryTests {
    private final class IgnoringDelegate: WebSocketDelegate {
        func opened(_ socket: WebSocket) {}
        func received(_ message: WebSocketMessage) {}
        func closed(_ end: WebSocketEnd) {}
    }

    private let channel = EmbeddedChannel()
    private let outlet = STOMPOutlet()
    private let subscription = STOMPSubscription(id: "1", destination: "/topic/a")
    private let connection: STOMPConnection

    init() throws {
        let socket = WebSocket(.server, on: channel.eventLoop, limits: WebSocketLimits(), delegate: IgnoringDelegate())
        try channel.pipeline.syncOperations.addHandler(socket)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        outlet.open(socket)
        outlet.add(subscription)
        connection = STOMPConnection(id: 1, outlet: outlet, eventLoop: channel.eventLoop)
    }

    private func message(_ id: Int64, size: Int = 0) -> STOMPMessage {
        STOMPMessage(id: id, body: ByteBuffer(repeating: 0x78, count: size), headers: [("kind", "a:b")])
    }

    /// The ids of the messages sent since the last call.
    private func sent() throws -> [Int64] {
        channel.embeddedEventLoop.run()
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        let heads = text.split(separator: "message-id:").dropFirst()
        #expect(heads.allSatisfy { $0.contains("\nkind:a\\cb\n") })
        return heads.compactMap { $0.split(separator: "\n").first.flatMap { Int64($0) } }
    }

    @Test func lowPriorityMessage_withUnsentBytes_isDropped() throws {
        connection.deliver(message(1, size: 1000), to: subscription)
        connection.deliver(message(2), to: subscription, unlessUnsent: 1000)
        connection.deliver(message(3), to: subscription)
        #expect(try sent() == [1, 3])
        connection.deliver(message(4), to: subscription, unlessUnsent: 1000)
        #expect(try sent() == [4])
    }

    @Test func endedSubscription_receivesNothing() throws {
        connection.deliver(message(1), to: subscription)
        _ = outlet.remove(id: "1")
        #expect(try sent() == [])
        connection.deliver(message(2), to: subscription)
        #expect(try sent() == [])
    }
}
