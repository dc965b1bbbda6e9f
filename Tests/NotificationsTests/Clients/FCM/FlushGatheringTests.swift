import NIOCore
import NIOEmbedded
import Testing

@testable import Notifications

@Suite("Requests in one piece")
struct FlushGatheringTests {
    /// Stands for the socket.
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

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([flushes, FlushGathering()])
    }

    @Test("What is flushed in one turn goes at its end, and all of it")
    func gathers() throws {
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

    @Test("What was flushed goes before the connection is closed")
    func close() throws {
        channel.writeAndFlush(ByteBuffer(string: "last"), promise: nil)
        channel.close(promise: nil)
        let text = try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
        #expect(text == "last")
    }
}
