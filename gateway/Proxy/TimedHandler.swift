import NIOCore

/// A handler that is a timed connection for as long as it is in a pipeline.
protocol TimedHandler: ChannelHandler, TimedConnection {
    var loop: EventLoopContext { get }
    /// nil outside of a pipeline.
    var context: ChannelHandlerContext? { get set }
}

extension TimedHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.remove(self)
    }

    func cut() { context?.close(promise: nil) }
}
