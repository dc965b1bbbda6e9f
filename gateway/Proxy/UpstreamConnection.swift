import NIOCore
import Synchronization

/// A connection to a service. It sends one request at a time and reads the response as fast as the client accepts it.
final class UpstreamConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let pool: UpstreamPool
    /// When the connection was last returned to the pool.
    var idleSince = NIODeadline.uptimeNanoseconds(0)
    private var context: ChannelHandlerContext?
    /// The client connection that waits for the response.
    private var client: ClientConnection? {
        didSet {
            switch (oldValue, client) {
            case (nil, let client?): pool.endpoint.load.withLock { $0.began(now: client.now) }
            case (let client?, nil): pool.endpoint.load.withLock { $0.ended(now: client.now) }
            default: break
            }
        }
    }
    private var reader = ResponseReader()
    /// Received bytes that do not yet form a complete event.
    private var inbound = ByteBuffer()
    /// Whether the service's channel accepts more output.
    private(set) var isWritable = true
    private var isReadHeld = false
    /// When the current request was assigned.
    private var begunAt = NIODeadline.uptimeNanoseconds(0)

    init(pool: UpstreamPool) {
        self.pool = pool
    }

    // MARK: Interface for the client connection

    /// Starts a request.
    ///
    /// - Returns: The context to write the request to.
    func begin(_ method: Method, for client: ClientConnection) -> ChannelHandlerContext? {
        self.client = client
        begunAt = client.now
        reader.begin(method)
        resumeReading()
        return context
    }

    /// Resumes reading after the client has caught up.
    func resumeReading() {
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    /// Drops the response because the client disconnected or was already sent another one.
    func abandon() {
        client = nil
        context?.channel.reset()
    }

    /// Drops the response because another address was faster, which counts as if it came now.
    func giveUp() {
        if let client { measure(client, isError: false) }
        abandon()
    }

    func close() {
        context?.close(promise: nil)
    }

    /// Ends a request whose response cannot arrive.
    func leaveUnreachable() {
        if client != nil, pool.endpoint.isUnreachable { fail(.broken) }
    }

    /// Removes the connection from HTTP handling, because it carries another protocol from now on.
    ///
    /// - Returns: The handler's context in the pipeline, where another handler can be inserted.
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
        // An unsolicited response must not be taken for the response to the next request.
        guard let client else { return close() }
        client.wake()
        do {
            try relay(&bytes)
        } catch {
            fail(.malformed)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        client?.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        client?.upstreamWritabilityChanged(isWritable)
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

// MARK: - Responses

extension UpstreamConnection {
    private func relay(_ bytes: inout ByteBuffer) throws(HTTPFault) {
        while let client, let event = try reader.next(&bytes) {
            switch event {
            case .head(let head) where reader.head.status == 101:
                return client.upstreamSwitched(reader.head, head, rest: bytes)
            case .head(let head) where reader.head.status >= 200:
                measure(client, isError: reader.head.status >= 500)
                client.choose(self)
                client.responseBegan(reader.head, head, reader.length)
            case .head:
                // The gateway has already sent `100 Continue`; other interim responses are dropped.
                break
            case .body(let piece):
                client.responseContinued(piece)
            case .end:
                return end(isCleanly: bytes.readableBytes == 0)
            }
        }
        if client != nil { inbound = bytes.readableBytes > 0 ? bytes : ByteBuffer() }
    }

    /// Records how long the service took. An error of its own counts as slow, so that a broken copy, which answers quickly,
    /// attracts no requests.
    private func measure(_ client: ClientConnection, isError: Bool) {
        let time = client.now - max(client.requestSentAt, begunAt)
        let counted = isError ? max(time, Self.timeOfError) : time
        pool.endpoint.load.withLock { $0.answered(after: counted, now: client.now) }
    }

    private static let timeOfError = TimeAmount.seconds(1)

    /// - Parameter isCleanly: Whether no bytes followed the response.
    private func end(isCleanly: Bool) {
        guard let client else { return }
        self.client = nil
        inbound = ByteBuffer()
        pool.endpoint.succeeded()
        if isCleanly, reader.head.keepsConnection, reader.length != .untilClose, client.hasSentRequest {
            pool.giveBack(self, now: client.now)
        } else {
            close()
        }
        client.responseEnded()
    }

    /// Handles a connection that the service closed or that broke.
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
        abandon()
        client?.upstreamFailed(failure, on: self)
    }
}

/// Why a service's response is incomplete.
enum UpstreamFailure {
    /// The connection ended before the response did.
    case broken
    /// The response was not valid HTTP.
    case malformed
}
