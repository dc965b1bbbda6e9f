import NIOCore

/// Flushes once what the streams of a connection write while the event loop handles one batch of events: the responses of
/// several services then take one TLS record and one system call.
final class FlushCoalescer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isScheduled = false

    func flush(context: ChannelHandlerContext) {
        guard !isScheduled else { return }
        isScheduled = true
        context.eventLoop.assumeIsolated().execute { [self] in
            if isScheduled { flushNow(context) }
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isScheduled { flushNow(context) }
        context.close(mode: mode, promise: promise)
    }

    private func flushNow(_ context: ChannelHandlerContext) {
        isScheduled = false
        context.flush()
    }
}
