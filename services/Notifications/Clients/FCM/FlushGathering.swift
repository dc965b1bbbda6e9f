import NIOCore

/// Merges the flushes of one event loop tick. The HTTP client flushes head and body separately, which would cost an
/// additional system call and packet per push.
final class FlushGathering: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private var isPending = false

    /// Adds the handler next to the socket.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FlushGathering(), position: .first)
        }
    }

    func flush(context: ChannelHandlerContext) {
        guard !isPending else { return }
        isPending = true
        context.eventLoop.assumeIsolated().execute {
            self.isPending = false
            context.flush()
        }
    }

    /// Flushes pending data before the close.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isPending { context.flush() }
        context.close(mode: mode, promise: promise)
    }
}
