import Authentication
import Contracts
import NIOCore
import NIOPosix
import StackKit

/// Senders that write messages sequentially into many rooms, each on its own persistent connection, all on one event
/// loop.
final class ChatLoad: Sendable {
    static let content = "내일 두 시에 집을 보러 갈 수 있을까요?"

    private let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let port: Int
    private let senders: Int

    init(port: Int, senders: Int) {
        self.port = port
        self.senders = senders
    }

    /// - Parameter rate: The total number of messages per second; nil for no limit.
    /// - Returns: The time from the scheduled sending of each message to its response, in milliseconds.
    /// - Throws: `StackError` if a message was refused.
    func run(for duration: Duration, rate: Double? = nil) async throws -> [Double] {
        let tally = try await eventLoop.submit { [eventLoop] in
            NIOLoopBound(ChatTally(), eventLoop: eventLoop)
        }.get()
        let start = NIODeadline.now() + .milliseconds(100)
        let end = start + .nanoseconds(Int64(duration / .nanoseconds(1)))
        let pause = rate.map { TimeAmount.nanoseconds(Int64(1_000_000_000 * Double(senders) / $0)) }
        var channels: [any Channel] = []
        for number in 0..<senders {
            // Staggered, not all at once.
            let first = start + .nanoseconds((pause?.nanoseconds ?? 0) * Int64(number) / Int64(senders))
            let bootstrap = ClientBootstrap(group: eventLoop)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let sender = ChatSender(number, tally.value, from: first, every: pause, until: end)
                        try channel.pipeline.syncOperations.addHandler(sender)
                    }
                }
            channels.append(try await bootstrap.connect(host: "127.0.0.1", port: port).get())
        }
        for channel in channels { try await channel.closeFuture.get() }
        let (times, defect) = try await eventLoop.submit { (tally.value.times, tally.value.defect) }.get()
        if let defect { throw StackError("a message was refused: \(defect)") }
        return times
    }
}

/// The results of all connections.
private final class ChatTally {
    var times: [Double] = []
    var defect: String?
    /// The constant part of the requests per room; the identity is valid for a minute.
    private var heads: [Int: String] = [:]
    private var random = SystemRandomNumberGenerator()

    /// A new message for a random room.
    func request() -> ByteBuffer {
        let room = Int.random(in: 1...ChatDataset.rooms, using: &random)
        let head = heads[room] ?? Self.head(room)
        heads[room] = head
        let name = String(UInt64.random(in: 0 ... .max, using: &random), radix: 36)
        let body = #"{"content":"\#(ChatLoad.content)","files":[],"client_id":"\#(name)"}"#
        return ByteBuffer(string: "\(head)content-length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    private static func head(_ room: Int) -> String {
        let path = "/v1/chats/\(ChatDataset.publicID(room))"
        let account = ChatDataset.account(room)
        let identity = ServiceFixture.identity(of: account, in: .anlaka, "POST", path, to: .chat)
        return """
            POST \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
            \(InternalIdentity.header): \(identity)\r\n
            """
    }
}

/// One connection.
private final class ChatSender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let tally: ChatTally
    private let pause: TimeAmount?
    private let end: NIODeadline
    /// When the current message was scheduled.
    private var due: NIODeadline
    private var received = ByteBuffer()

    init(_ number: Int, _ tally: ChatTally, from start: NIODeadline, every pause: TimeAmount?, until end: NIODeadline) {
        self.tally = tally
        self.pause = pause
        self.end = end
        due = start
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(context)
    }

    private func wait(_ context: ChannelHandlerContext) {
        guard due < end else { return context.close(promise: nil) }
        let now = NIODeadline.now()
        guard due > now else { return send(context) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.send(context) }
    }

    private func send(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(tally.request()), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard let answer = nextAnswer() else { return }
        guard answer.hasPrefix("HTTP/1.1 200") else {
            tally.defect = String(answer.prefix(400))
            return context.close(promise: nil)
        }
        let now = NIODeadline.now()
        tally.times.append(Double((now - due).nanoseconds) / 1_000_000)
        due = pause.map { due + $0 } ?? now
        wait(context)
    }

    /// The response, once it is complete.
    private func nextAnswer() -> String? {
        let text = String(buffer: received)
        guard let head = text.firstRange(of: "\r\n\r\n") else { return nil }
        let field = text[..<head.lowerBound].split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-length:")
        }
        let length = field.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        guard text[head.upperBound...].utf8.count >= length else { return nil }
        received.clear()
        return text
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tally.defect = "\(error)"
        context.close(promise: nil)
    }
}
