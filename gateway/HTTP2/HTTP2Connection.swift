import NIOCore
import NIOHTTP2

/// A client connection of HTTP/2. Each stream is a channel of its own with a `ClientConnection`.
final class HTTP2Connection: ChannelDuplexHandler, TimedHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let loop: EventLoopContext
    var context: ChannelHandlerContext?
    /// When the connection is closed, whether or not the client has accepted its end.
    private var deadline: NIODeadline?

    private init(loop: EventLoopContext) {
        self.loop = loop
    }

    /// Adds the handlers of HTTP/2 to a connection.
    static func start(on channel: any Channel, loop: EventLoopContext, origin: RequestOrigin, isProxy: Bool) throws {
        let limits = loop.core.limits
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headSize),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindow),
            HTTP2Setting(parameter: .enableConnectProtocol, value: 1),
        ]
        connection.targetWindowSize = limits.connectionWindow
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = limits.streamWindow
        stream.outboundBufferSizeHighWatermark = 64 * 1024
        stream.outboundBufferSizeLowWatermark = 32 * 1024
        let management = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(maxIdleTime: limits.idleTime, maxAge: nil, maxGraceTime: nil, keepalive: nil)
        )
        let client = NIOLoopBound((loop: loop, origin: origin), eventLoop: channel.eventLoop)
        let frames = NIOHTTP2Handler(
            mode: .server,
            eventLoop: channel.eventLoop,
            connectionConfiguration: connection,
            streamConfiguration: stream,
            // Or open streams would count as none, and be cut by the idle time and by a drain.
            streamDelegate: management.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let (loop, origin) = client.value
                try stream.pipeline.syncOperations.addHandlers(
                    HTTP2Stream(endTime: loop.core.limits.lingerTime),
                    ClientConnection(loop: loop, origin: origin, isProxy: isProxy)
                )
            }
        }
        let handler = HTTP2Connection(loop: loop)
        try channel.pipeline.syncOperations.addHandlers([FlushCoalescer(), frames, handler, management])
        // The connection has been active since before its handlers were known; this starts the idle time.
        handler.context?.fireChannelActive()
    }

    /// Bounds the time after GOAWAY. The grace time of NIOHTTP2 begins when the client has acknowledged a PING, which it may
    /// never do.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if deadline == nil, case .goAway = Self.unwrapOutboundIn(data).payload {
            deadline = .now() + loop.core.limits.answerTime
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection after an error of it; the GOAWAY frame that says why has been sent. An error of one stream
    /// has reset that stream.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIOHTTP2 reports frames that cross the last response before the end, which this turn of the event loop flushes.
        if error is NIOHTTP2Errors.IOOnClosedConnection, deadline != nil {
            return context.eventLoop.assumeIsolated().execute { [self] in cut() }
        }
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }

    // MARK: TimedConnection

    /// Streams and the idle time have deadlines of their own.
    func tick(now: NIODeadline) {
        if let deadline, now >= deadline { cut() }
    }

    func drain() { context?.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
}
