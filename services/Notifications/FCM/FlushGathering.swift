import NIOCore

/// Sends in one piece what is flushed in one turn of the event loop. The HTTP client flushes a request's head and its body apart,
/// which costs a system call and a packet more for each push.
final class FlushGathering: ChannelOutboundHandler {
    typealias OutboundIn = Any

    private var isPending = false

    /// Stands right before the socket.
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

    /// What was flushed goes before the end.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isPending { context.flush() }
        context.close(mode: mode, promise: promise)
    }
}
