import NIOCore
import NIOEmbedded
import Testing

@testable import Notifications

/// Flushes of one event loop turn that are joined to one write.
@Suite
struct FlushGatheringTests {
    /// Replaces the socket.
    private final class Flushes: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var count = 0

        func flush(context: ChannelHandlerContext) {
            count += 1
            context.flush()
        }
    }

    private let channel = EmbeddedChannel()
    private let flushes = Flushes()

    init() throws { try channel.pipeline.syncOperations.addHandlers([flushes, FlushGathering()]) }

    @Test
    func flushes_ofOneTurn_areJoined() throws {
        for text in ["head", "body"] { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
        let early = try channel.readOutbound(as: ByteBuffer.self)
        #expect(early == nil)
        channel.embeddedEventLoop.run()
        let texts = try (0..<2).map { _ in try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) } }
        #expect(texts == ["head", "body"])
        #expect(flushes.count == 1)
        channel.writeAndFlush(ByteBuffer(string: "next"), promise: nil)
        channel.embeddedEventLoop.run()
        #expect(flushes.count == 2)
    }

    @Test
    func close_flushesPendingWrites() throws {
        channel.writeAndFlush(ByteBuffer(string: "last"), promise: nil)
        channel.close(promise: nil)
        let text = try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
        #expect(text == "last")
    }
}
