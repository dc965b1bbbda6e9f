import FoundationEssentials
import NIOCore
import NIOPosix

/// The auth service and the service behind a gateway: it publishes keys, answers requests with 1 KB, and returns the frames
/// of WebSockets.
struct HandoverService: Sendable {
    let port: Int
    private let channel: any Channel

    /// - Parameter keys: The JSON of the keys that sign access tokens.
    static func listen(keys: String, on group: any EventLoopGroup) async throws -> HandoverService {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HandoverServiceConnection(keys: keys))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return HandoverService(port: channel.localAddress?.port ?? 0, channel: channel)
    }

    func close() async { try? await channel.close() }
}

/// One connection of a gateway.
private final class HandoverServiceConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let keys: String
    private var received = ByteBuffer()
    private var isSocket = false

    private static let answer = #"{"text":"\#(String(repeating: "x", count: 1013))"}"#

    init(keys: String) {
        self.keys = keys
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        var output = context.channel.allocator.buffer(capacity: 1200)
        while isSocket ? echo(into: &output) : answer(into: &output) {}
        received.discardReadBytes()
        if output.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(output), promise: nil) }
    }

    /// Returns the next frame, if it is complete.
    private func echo(into output: inout ByteBuffer) -> Bool {
        guard let number = HandoverFrame.number(fromPhone: &received) else { return false }
        HandoverFrame.write(number, fromPhone: false, into: &output)
        return true
    }

    /// Answers the next request, which has no body, if it is complete.
    private func answer(into output: inout ByteBuffer) -> Bool {
        let text = String(buffer: received)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
        let head = text[..<end.lowerBound]
        received.moveReaderIndex(forwardBy: head.utf8.count + 4)
        isSocket = head.lowercased().contains("upgrade: websocket")
        if isSocket {
            output.writeString(
                """
                HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
                """
            )
        } else {
            let body =
                if head.hasPrefix("GET /internal/keys") {
                    keys
                } else if head.hasPrefix("GET /internal/revocations") {
                    #"{"revocations":[],"last":0}"#
                } else {
                    Self.answer
                }
            output.writeString(
                """
                HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
            )
        }
        return true
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// A binary frame with a number of eight bytes (RFC 6455 §5.2). Those of phones are masked with zeros.
enum HandoverFrame {
    static func write(_ number: UInt64, fromPhone: Bool, into buffer: inout ByteBuffer) {
        buffer.writeBytes(fromPhone ? [0x82, 0x88, 0, 0, 0, 0] : [0x82, 0x08])
        buffer.writeInteger(number)
    }

    /// Reads a frame, if it is complete.
    static func number(fromPhone: Bool = false, _ buffer: inout ByteBuffer) -> UInt64? {
        let head = fromPhone ? 6 : 2
        guard buffer.readableBytes >= head + 8 else { return nil }
        buffer.moveReaderIndex(forwardBy: head)
        return buffer.readInteger()
    }

    static func number(fromPhone buffer: inout ByteBuffer) -> UInt64? { number(fromPhone: true, &buffer) }
}
