import NIOCore
import Synchronization

/// A connection to a service: sends one request at a time and reads its answer, as fast as the client takes it.
final class UpstreamConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let pool: UpstreamPool
    /// When it was last given back.
    var idleSince = NIODeadline.uptimeNanoseconds(0)
    private var context: ChannelHandlerContext?
    /// Who waits for an answer.
    private var client: ClientConnection? {
        didSet {
            let change = (client == nil ? 0 : 1) - (oldValue == nil ? 0 : 1)
            if change != 0 { pool.endpoint.outstanding.wrappingAdd(change, ordering: .relaxed) }
        }
    }
    private var reader = AnswerReader()
    /// Bytes that are no whole event yet.
    private var inbound = ByteBuffer()
    /// Whether the service takes what it is sent.
    private(set) var isWritable = true
    private var isReadHeld = false

    init(pool: UpstreamPool) {
        self.pool = pool
    }

    // MARK: For the client's side

    /// Takes over a request; its bytes follow by `write`.
    func begin(_ method: Method, for client: ClientConnection) {
        self.client = client
        reader.begin(method)
        resumeReading()
    }

    func write(_ bytes: ByteBuffer) {
        context?.write(Self.wrapOutboundOut(bytes), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    /// Reads on after the client had fallen behind.
    func resumeReading() {
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// The client has gone, or is answered otherwise: whatever still comes is of no use.
    func abandon() {
        client = nil
        close()
    }

    func close() {
        context?.close(promise: nil)
    }

    /// Leaves the pipeline, since from now on the connection carries something else than HTTP.
    ///
    /// - Returns: the pipeline's position, where another handler can take over.
    func leave() -> ChannelHandlerContext? {
        client = nil
        return context
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        if let client, !client.isWritable {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        if inbound.readableBytes > 0 {
            inbound.writeBuffer(&bytes)
            bytes = inbound
            inbound = ByteBuffer()
        }
        // An answer that nobody asked for must not become the answer to the next request.
        guard let client else { return close() }
        client.wake()
        do {
            try relay(&bytes)
        } catch {
            fail(.malformed)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        client?.flushAnswer()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable { client?.upstreamBecameWritable() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { ended(isClean: true) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ended(isClean: false)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended(isClean: false)
    }
}

// MARK: - Answers

extension UpstreamConnection {
    private func relay(_ bytes: inout ByteBuffer) throws(HTTPFault) {
        while let client, let event = try reader.next(&bytes) {
            switch event {
            case .head(let head) where reader.head.status == 101:
                return client.upstreamSwitched(reader.head, head, rest: bytes)
            case .head(let head) where reader.head.status >= 200:
                client.answerBegan(reader.head, head, reader.length)
            case .head:
                // 100 was answered by the gateway already; nobody waits for the others.
                break
            case .body(let piece):
                client.answerContinued(piece)
            case .end:
                return end(isCleanly: bytes.readableBytes == 0)
            }
        }
        if client != nil { inbound = bytes.readableBytes > 0 ? bytes : ByteBuffer() }
    }

    /// - Parameter isCleanly: whether nothing followed the answer.
    private func end(isCleanly: Bool) {
        guard let client else { return }
        self.client = nil
        inbound = ByteBuffer()
        pool.endpoint.succeeded()
        if isCleanly, reader.head.keepsConnection, reader.length != .untilClose, client.hasSentWholeRequest {
            pool.giveBack(self, now: client.deadlines.now)
        } else {
            close()
        }
        client.answerEnded()
    }

    /// The service has closed, or the connection broke.
    private func ended(isClean: Bool) {
        if client == nil {
            pool.remove(self)
            close()
        } else if isClean, reader.endsWithConnection {
            end(isCleanly: false)
        } else {
            fail(.broken)
        }
    }

    private func fail(_ failure: UpstreamFailure) {
        let client = client
        self.client = nil
        close()
        client?.upstreamFailed(failure, pool.endpoint)
    }
}

/// Why a service gave no whole answer.
enum UpstreamFailure {
    /// It ended before the answer did.
    case broken
    /// What came was not HTTP.
    case malformed
}
