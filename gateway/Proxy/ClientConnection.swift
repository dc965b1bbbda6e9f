import Apps
import Authentication
import Contracts
import NIOCore

/// A client connection. Reads its requests one at a time and responds to each, from a service or from the gateway
/// itself.
///
/// Memory is bounded in both directions: the client is not read while the service does not accept the request's bytes,
/// and the service is not read while the client does not accept the response's.
final class ClientConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// The state of the connection.
    enum Phase {
        /// Waiting for a request, or reading its head.
        case head
        /// The head is complete and the request is being decided.
        case deciding
        /// The request is at a service, or waits for a connection to it.
        case exchange
        /// The response was sent before the whole body was read; the rest of the body is discarded.
        case discarding
        /// The last response was sent; further input is discarded so that the client can read the response.
        case lingering
        case closed
    }

    let worker: EventLoopContext
    let peer: ClientLimit
    /// The client's IP address, for services and logs.
    let address: String
    /// The header line `X-Madang-Client: …` with its CRLF.
    let addressLine: ByteBuffer
    var deadlines: ClientDeadlines

    var context: ChannelHandlerContext?
    var phase = Phase.head
    /// Received bytes that have not been consumed.
    var inbound = ByteBuffer()
    var scanner = HeadScanner()
    var head = RequestHead()
    var target = RequestTarget()
    var headSize = 0
    /// When the head was complete.
    var arrivedAt = NIODeadline.uptimeNanoseconds(0)
    /// The refresh that the decision waits for.
    var awaited: AwaitedRefresh?
    /// The renewed tokens to send to the client.
    var renewed: RenewedTokens?
    var exchange: HTTPExchange?
    var discarded = RequestBody(.none, limit: 0)
    /// Pending output to the service.
    var upstreamOut = ByteBuffer()
    /// Pending output to the client.
    var clientOut = ByteBuffer()
    /// Whether the channel holds written but unflushed bytes.
    var hasUnflushed = false
    var lingered = 0
    /// Whether the client's channel accepts more output.
    private(set) var isWritable = true
    private var isReadHeld = false

    init(worker: EventLoopContext, peer: ClientLimit, address: SocketAddress?) {
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

    /// Updates the current time at the start of an event.
    func wake() {
        deadlines.now = .now()
    }

    /// Resumes reading when there is room in the buffer.
    func resumeReading() {
        guard isReadHeld, inbound.readableBytes < limits.readAhead || phase == .lingering, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// Handles the received bytes as far as possible, then sends the resulting output.
    func process() {
        while advance() {}
        flushAnswer()
        // An empty buffer is released, so that the channel reads the next bytes into its own.
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
    }

    /// - Returns: Whether there is more to do.
    private func advance() -> Bool {
        switch phase {
        case .head:
            // A client that does not read its responses is not sent more of them.
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
