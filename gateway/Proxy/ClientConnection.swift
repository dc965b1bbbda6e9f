import AppWire
import Authentication
import Contracts
import NIOCore

/// A connection from a phone: reads its requests one after the other, and answers each by a service or by itself.
///
/// Memory is bounded on both ways: the phone is not read while the service does not take what came, and the service is
/// not read while the phone does not take its answer.
final class ClientConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// What the connection is about.
    enum Phase {
        /// Waiting for a request, or in the middle of its head.
        case head
        /// The head is whole, and what becomes of it is not known yet.
        case deciding
        /// A service has the request, or will have it when a connection to it is open.
        case exchange
        /// The answer was given without the whole body having been read; the rest is read over.
        case discarding
        /// The last answer was given; what still comes is read over, so that the phone gets to read it.
        case lingering
        case closed
    }

    let worker: Worker
    let peer: Peer
    /// The phone's address, for services and logs.
    let address: String
    /// `X-Madang-Client: …` with its CRLF.
    let addressLine: ByteBuffer
    var deadlines: ClientDeadlines

    var context: ChannelHandlerContext?
    var phase = Phase.head
    /// What has come and is not used yet.
    var inbound = ByteBuffer()
    var scanner = HeadScanner()
    var head = RequestHead()
    var target = RequestTarget()
    var headSize = 0
    /// When the head was whole.
    var arrivedAt = NIODeadline.uptimeNanoseconds(0)
    /// The refresh that the decision waits for.
    var awaited: AwaitedRefresh?
    /// What came of it, for the phone.
    var renewed: RenewedTokens?
    var exchange: Exchange?
    var discarded = RequestBody(.none, limit: 0)
    /// What goes to the service next.
    var upstreamOut = ByteBuffer()
    /// What goes to the phone next.
    var clientOut = ByteBuffer()
    /// Whether the channel holds bytes that it was not told to send.
    var hasUnflushed = false
    var lingered = 0
    /// Whether the phone takes what it is sent.
    private(set) var isWritable = true
    private var isReadHeld = false

    init(worker: Worker, peer: Peer, address: SocketAddress?) {
        self.worker = worker
        self.peer = peer
        self.address = address?.ipAddress ?? "-"
        self.addressLine = ByteBuffer(string: "X-Madang-Client: \(self.address)\r\n")
        self.deadlines = ClientDeadlines(worker.core.limits)
    }

    var limits: Limits { worker.core.limits }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        worker.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        worker.remove(self)
    }

    func read(context: ChannelHandlerContext) {
        if inbound.readableBytes < limits.readAhead || phase == .lingering {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        wake()
        var bytes = Self.unwrapInboundIn(data)
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.writeBuffer(&bytes)
        }
        process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        resumeReading()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        wake()
        isWritable = context.channel.isWritable
        if isWritable {
            if exchange?.answerBegan == true { deadlines.answerAdvanced() }
            exchange?.upstream?.resumeReading()
            process()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { clientGone() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        clientGone()
    }

    func channelInactive(context: ChannelHandlerContext) {
        clientGone()
    }

    // MARK: Reading

    /// Something happened; what follows happens at this time.
    func wake() {
        deadlines.now = .now()
    }

    /// Reads on if there is room again.
    func resumeReading() {
        guard isReadHeld, inbound.readableBytes < limits.readAhead || phase == .lingering, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// Does what can be done with the bytes at hand, and sends the answers that came of it at once.
    func process() {
        while advance() {}
        flushAnswer()
        // A used-up buffer goes back to the channel, which reads the next bytes into it.
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
    }

    /// - Returns: whether there is more to do.
    private func advance() -> Bool {
        switch phase {
        case .head:
            // Who does not read its answers is not given more of them.
            return inbound.readableBytes > 0 && isWritable && readHead()
        case .exchange:
            relayRequest()
            return phase != .exchange
        case .discarding:
            return discardRequestBody()
        case .lingering:
            readOver()
            return false
        case .deciding, .closed:
            return false
        }
    }
}
