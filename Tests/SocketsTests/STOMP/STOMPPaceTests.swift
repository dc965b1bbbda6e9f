import NIOCore
import NIOEmbedded
import Testing

@testable import Sockets

/// The times at which messages are sent, on an event loop whose time the test sets.
struct STOMPPaceTests {
    private final class IgnoringDelegate: WebSocketDelegate {
        func opened(_ socket: WebSocket) {}
        func received(_ message: WebSocketMessage) {}
        func closed(_ end: WebSocketEnd) {}
    }

    private let channel = EmbeddedChannel()
    private let hub = STOMPHub()
    private let outlet = STOMPOutlet()
    private let subscription = STOMPSubscription(id: "1", destination: "/topic/a")

    /// A shard with one subscription, after a pause.
    private func shard() throws -> STOMPShard {
        let socket = WebSocket(.server, on: channel.eventLoop, limits: WebSocketLimits(), delegate: IgnoringDelegate())
        try channel.pipeline.syncOperations.addHandler(socket)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        outlet.open(socket)
        outlet.add(subscription)
        let shard = STOMPShard(hub: hub, eventLoop: channel.eventLoop)
        let place = try #require(shard.hold(subscription, of: outlet, topic: "a")).place
        shard.open(place, replay: [], through: 0)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        return shard
    }

    private func publish(_ id: Int64, to shard: STOMPShard) {
        shard.publish(STOMPMessage(id: id, body: ByteBuffer()), to: "a")
        channel.embeddedEventLoop.run()
    }

    /// The count of messages sent since the last call.
    private func sent() throws -> Int {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text.split(separator: "MESSAGE\n").count - (text.isEmpty ? 0 : 1)
    }

    @Test func messageAfterPause_isSentAtOnce() throws {
        let shard = try shard()
        for id in 1...3 {
            publish(Int64(id), to: shard)
            #expect(try sent() == 1)
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(32))
        }
    }

    @Test func burst_isSentInTwoFlushes() throws {
        let shard = try shard()
        for id in 1...3 { publish(Int64(id), to: shard) }
        #expect(try sent() == 1, "the first message is sent at once")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(31))
        publish(4, to: shard)
        #expect(try sent() == 0)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try sent() == 3)
    }
}
