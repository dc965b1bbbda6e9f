import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The handler of a new connection until its first request shows whether it is HTTP or a WebSocket.
///
/// It also closes connections that send nothing, after a timeout and on shutdown.
final class Negotiation: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The result of the negotiation.
    enum Outcome: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        /// A WebSocket, which continues by itself, or a closed connection.
        case settled
    }

    /// The HTTP handlers in the pipeline, which a WebSocket does not need.
    struct Codecs {
        let decoder: ByteToMessageHandler<HTTPRequestDecoder>
        let encoder: HTTPResponseEncoder
        let translator: HTTP1ToHTTPServerCodec
    }

    private enum Phase {
        case waiting
        /// The head is a WebSocket handshake; the end of the request is still to come.
        case upgrading(HTTPRequest, hasBody: Bool)
        /// Further input is ignored.
        case done
    }

    private let decide: @Sendable (HTTPRequest) -> WebSocketDecision
    private let time: TimeAmount
    private let codecs: Codecs
    private let promise: EventLoopPromise<Outcome>
    private let logger: Logger
    private var phase = Phase.waiting
    private var timer: Scheduled<Void>?

    init(
        _ codecs: Codecs,
        time: TimeAmount,
        promise: EventLoopPromise<Outcome>,
        logger: Logger,
        decide: @escaping @Sendable (HTTPRequest) -> WebSocketDecision
    ) {
        self.codecs = codecs
        self.time = time
        self.promise = promise
        self.logger = logger
        self.decide = decide
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        promise.succeed(.settled)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.succeed(.settled)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent, ChannelEvent.inputClosed as ChannelEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case .waiting = phase, error is HTTPParserError else { return context.close(promise: nil) }
        refuse(HTTPResponse(status: .badRequest), context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (phase, Self.unwrapInboundIn(data)) {
        case (.waiting, .head(let head)) where Handshake.isWanted(by: head):
            phase = .upgrading(head, hasBody: false)
        case (.waiting, _):
            becomeHTTP(context, first: data)
        case (.upgrading(let head, _), .body):
            phase = .upgrading(head, hasBody: true)
        case (.upgrading(let head, let hasBody), .end):
            answer(head, hasBody: hasBody, context)
        case (.upgrading, .head), (.done, _):
            break
        }
    }

    private func becomeHTTP(_ context: ChannelHandlerContext, first: NIOAny) {
        phase = .done
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            let channel = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                wrappingChannelSynchronously: context.channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
            promise.succeed(.http(channel))
        } catch {
            return context.close(promise: nil)
        }
        context.fireChannelRead(first)
        pipeline.removeHandler(self, promise: nil)
    }

    // MARK: Handshake

    private func answer(_ request: HTTPRequest, hasBody: Bool, _ context: ChannelHandlerContext) {
        switch decide(request) {
        case .refuse(let status):
            refuse(HTTPResponse(status: status), context)
        case .accept(let endpoint, let name):
            let response = Handshake.acceptance(of: request, subprotocols: endpoint.subprotocols)
            becomeWebSocket(request, hasBody: hasBody, response, endpoint.limits, context) {
                let delegate = endpoint.delegate(for: request, on: $0)
                return WebSocket(.server, on: $0, limits: endpoint.limits, delegate: delegate, movesAs: name)
            }
        case .receive(let find):
            let response = Handshake.acceptance(of: request, subprotocols: [])
            becomeWebSocket(request, hasBody: hasBody, response, WebSocketLimits(), context) {
                WebSocket(receivingOn: $0, find)
            }
        }
    }

    /// Responds and closes the connection: the output at once, the input when the client has read the response or the
    /// negotiation times out.
    private func refuse(_ response: HTTPResponse, _ context: ChannelHandlerContext) {
        phase = .done
        var response = response
        response.headerFields[.connection] = "close"
        response.headerFields[.contentLength] = "0"
        context.write(Self.wrapOutboundOut(.head(response)), promise: nil)
        let sent = context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated()
        sent.whenComplete { _ in context.close(mode: .output, promise: nil) }
    }

    private func becomeWebSocket(
        _ request: HTTPRequest,
        hasBody: Bool,
        _ response: HTTPResponse,
        _ limits: WebSocketLimits,
        _ context: ChannelHandlerContext,
        _ make: (any EventLoop) -> WebSocket
    ) {
        if let fault = hasBody ? HTTPResponse(status: .badRequest) : Handshake.fault(in: request) {
            return refuse(fault, context)
        }
        phase = .done
        context.writeAndFlush(Self.wrapOutboundOut(.head(response)), promise: nil)

        let channel = context.channel
        let socket = make(context.eventLoop)
        let pipeline = context.pipeline.syncOperations
        // Removed first, because the socket may write as soon as it is added.
        pipeline.removeHandler(codecs.translator, promise: nil)
        pipeline.removeHandler(codecs.encoder, promise: nil)
        do {
            try channel.setWebSocketOptions(limits)
            try pipeline.addHandler(socket)
        } catch {
            return channel.close(promise: nil)
        }
        pipeline.removeHandler(self, promise: nil)
        // Removed last, because it passes on the bytes received after the request.
        pipeline.removeHandler(codecs.decoder).assumeIsolated().whenSuccess { socket.readAll() }
    }
}

extension Channel {
    /// Buffer sizes for many connections with little traffic.
    func setWebSocketOptions(_ limits: WebSocketLimits) throws {
        let unsent = ChannelOptions.Types.WriteBufferWaterMark(low: limits.unsentSize / 2, high: limits.unsentSize)
        try syncOptions?.setOption(.writeBufferWaterMark, value: unsent)
        let received = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 16 * 1024)
        try syncOptions?.setOption(.recvAllocator, value: received)
    }
}
