import NIOCore
import NIOHTTP2

/// A stream of an HTTP/2 connection: the `ClientConnection` behind it reads and writes HTTP/1.1, one request.
final class HTTP2Stream: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = HTTP2Frame.FramePayload

    private var request: StreamRequestWriter?
    private var response = StreamResponseReader(to: .get)
    /// Written bytes that do not yet form a frame.
    private var output = ByteBuffer()
    private var hasRequestEnded = false
    /// Whether the rest of the request is not wanted.
    private var isRestUnwanted = false
    /// Whether the last frame has been sent.
    private var hasResponseEnded = false

    /// How long the end of a WebSocket may wait for the client.
    private let endTime: TimeAmount

    init(endTime: TimeAmount) {
        self.endTime = endTime
    }

    // MARK: Request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = ByteBuffer()
        let isLast: Bool
        switch Self.unwrapInboundIn(data) {
        case .headers(let headers):
            isLast = headers.endStream
            if request == nil, !begin(headers, &bytes) {
                return context.writeAndFlush(Self.wrapOutboundOut(.rstStream(.protocolError)), promise: nil)
            }
        case .data(let data):
            guard case .byteBuffer(let piece) = data.data else { return }
            isLast = data.endStream
            request?.write(piece, to: &bytes)
        default: return
        }
        if isLast {
            hasRequestEnded = true
            request?.writeEnd(to: &bytes)
        }
        if bytes.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(bytes)) }
        if isLast, response.isTunnel { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }

    /// - Returns: Whether the headers are those of a request.
    private func begin(_ frame: HTTP2Frame.FramePayload.Headers, _ bytes: inout ByteBuffer) -> Bool {
        guard let request = StreamRequestWriter(frame.headers, hasBody: !frame.endStream) else { return false }
        request.writeHead(to: &bytes)
        response = StreamResponseReader(to: request.method)
        self.request = request
        return true
    }

    // MARK: Response

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        output.writeImmutableBuffer(Self.unwrapOutboundIn(data))
        do {
            while let frame = try response.next(&output) {
                let isAwaited = response.isAtEnd && !hasRequestEnded
                context.write(Self.wrapOutboundOut(frame), promise: isAwaited ? end(context) : nil)
            }
            promise?.succeed()
        } catch {
            promise?.fail(error)
            context.close(promise: nil)
        }
        if output.readableBytes == 0 { output = ByteBuffer() }
    }

    /// The promise for the last frame of a response that begins before its request has ended.
    private func end(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in
            hasResponseEnded = true
            refuseRest(context)
        }
        return promise
    }

    /// Tells a client that has its response and still sends its request that the rest is not needed (RFC 9113 §8.1). A
    /// reset overtakes what waits to be sent.
    private func refuseRest(_ context: ChannelHandlerContext) {
        guard isRestUnwanted, hasResponseEnded, !hasRequestEnded else { return }
        hasRequestEnded = true
        context.writeAndFlush(Self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }

    /// Resets a stream whose client does not take the end, for which it may give no window.
    private func closeLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: endTime) { context.close(promise: nil) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if response.isTunnel, mode == .output || hasRequestEnded {
            let end = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
            if !hasResponseEnded { context.writeAndFlush(Self.wrapOutboundOut(end), promise: nil) }
            hasResponseEnded = true
            if mode == .all { closeLater(context) }
            promise?.succeed()
        } else if mode == .output, response.isAtEnd {
            isRestUnwanted = true
            refuseRest(context)
            promise?.succeed()
        } else {
            context.close(promise: promise)
        }
    }
}
