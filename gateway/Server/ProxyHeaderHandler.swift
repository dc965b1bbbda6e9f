import NIOCore

/// Reads the PROXY header that a trusted proxy sends before the first request of a connection, and makes way for
/// the handlers of the client with the address in it. A connection without a valid header is closed.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler, TimedHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let pipeline: ClientPipeline
    let loop: EventLoopContext
    private let proxy: RequestOrigin
    private let deadline: NIODeadline
    private var received = ByteBuffer()
    var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - pipeline: The handlers of the client.
    ///   - proxy: The proxy itself.
    init(_ pipeline: ClientPipeline, loop: EventLoopContext, proxy: RequestOrigin) {
        self.pipeline = pipeline
        self.loop = loop
        self.proxy = proxy
        deadline = .now() + loop.core.limits.headTime
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            guard let header = try ProxyHeader.take(from: &received) else { return }
            try makeWay(header, context)
        } catch {
            context.close(promise: nil)
        }
    }

    private func makeWay(_ header: ProxyHeader, _ context: ChannelHandlerContext) throws {
        let origin: RequestOrigin
        if let address = header.address {
            let limit = loop.core.clientLimits.limit(of: ClientAddress(address))
            guard loop.core.clientLimits.join(limit, until: context.channel.closeFuture) else {
                throw TooManyConnections()
            }
            origin = RequestOrigin(address, limit)
        } else {
            origin = proxy
        }
        try pipeline.start(context.pipeline, loop, origin, isProxy: false)
        let rest = received
        received = ByteBuffer()
        if rest.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(rest)) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.close(promise: nil)
    }

    // MARK: TimedConnection

    func tick(now: NIODeadline) {
        if now >= deadline { cut() }
    }

    func drain() { cut() }
}
