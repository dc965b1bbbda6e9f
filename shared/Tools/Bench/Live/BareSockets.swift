import Crypto
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix

/// A server of WebSockets on one thread that parses nothing and keeps nothing: it answers handshakes, and sends the same
/// bytes to all. Its connections and deliveries cost what NIO and the system take for them.
final class BareSockets: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let sockets: NIOLoopBoundBox<[any Channel]>
    private let port: Int

    var url: String { "ws://127.0.0.1:\(port)/" }

    private init(_ group: MultiThreadedEventLoopGroup, _ sockets: NIOLoopBoundBox<[any Channel]>, port: Int) {
        (self.group, self.sockets, self.port) = (group, sockets, port)
    }

    static func open() async throws -> BareSockets {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let sockets = NIOLoopBoundBox.makeBoxSendingValue([any Channel](), eventLoop: group.next())
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    sockets.value.append(channel)
                    try channel.pipeline.syncOperations.addHandler(BareSocket())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return BareSockets(group, sockets, port: channel.localAddress?.port ?? 0)
    }

    /// Sends messages of this size to all sockets, each with a system call of its own.
    ///
    /// - Returns: The processor time of the thread, in seconds.
    func send(_ messages: Int = 1, of size: Int) async throws -> Double {
        try await sockets.eventLoop.submit { [sockets] in
            let before = Self.processorSeconds
            let frame = ByteBuffer(webSocketText: "M" + String(repeating: "x", count: size - 1))
            for _ in 0..<messages {
                for socket in sockets.value { socket.writeAndFlush(frame, promise: nil) }
            }
            return Self.processorSeconds - before
        }.get()
    }

    func close() async throws {
        try await group.shutdownGracefully()
    }

    /// Of the calling thread.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Answers the handshake, then the first frame as CONNECT and the second one as SUBSCRIBE.
private final class BareSocket: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var reads = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads += 1
        let answer: ByteBuffer? =
            switch reads {
            case 1: Self.handshake(String(buffer: unwrapInboundIn(data)))
            case 2: ByteBuffer(webSocketText: "CONNECTED")
            case 3: ByteBuffer(webSocketText: "RECEIPT")
            default: nil
            }
        if let answer { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
    }

    /// The server's handshake (RFC 6455 §4.2.2).
    private static func handshake(_ request: String) -> ByteBuffer {
        let field = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
        let key = field?.split(separator: " ").last.map(String.init) ?? ""
        let hash = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return ByteBuffer(
            string: """
                HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Accept: \(Data(hash).base64EncodedString())\r\n\r\n
                """
        )
    }
}

extension ByteBuffer {
    /// An unmasked text frame (RFC 6455 §5.2) of less than 64 KiB.
    fileprivate init(webSocketText text: String) {
        let count = text.utf8.count
        self.init(bytes: [0x81])
        if count < 126 { writeInteger(UInt8(count)) } else { writeBytes([126]) }
        if count >= 126 { writeInteger(UInt16(count)) }
        writeString(text)
    }
}
