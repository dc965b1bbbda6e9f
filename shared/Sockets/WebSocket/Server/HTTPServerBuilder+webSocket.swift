package import HTTPTypes
package import HummingbirdCore
import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

extension HTTPServerBuilder {
    /// An HTTP/1.1 server whose connections can become WebSockets by their first request.
    ///
    /// - Parameters:
    ///   - handshakeTime: From the start of a connection to the end of its first request head.
    ///   - connections: Counts the server's connections.
    ///   - decide: Decides which handshakes are accepted; called on the connection's event loop, so it must not block.
    package static func http1WithWebSockets(
        handshakeTime: TimeAmount = WebSocketLimits().handshakeTime,
        connections: OpenConnections = OpenConnections(),
        decide: @escaping @Sendable (HTTPRequest) -> WebSocketDecision
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            UpgradableHTTP1Channel(
                responder: responder,
                handshakeTime: handshakeTime,
                connections: connections,
                decide: decide
            )
        }
    }
}

/// The channel handler of such a server.
struct UpgradableHTTP1Channel: HTTPChannelHandler {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let outcome: EventLoopFuture<Negotiation.Outcome>
    }

    let responder: HTTPChannelHandler.Responder
    let handshakeTime: TimeAmount
    let connections: OpenConnections
    let decide: @Sendable (HTTPRequest) -> WebSocketDecision

    init(
        responder: @escaping HTTPChannelHandler.Responder,
        handshakeTime: TimeAmount,
        connections: OpenConnections,
        decide: @escaping @Sendable (HTTPRequest) -> WebSocketDecision
    ) {
        self.handshakeTime = handshakeTime
        self.connections = connections
        self.decide = decide
        self.responder = { request, writer, channel in
            guard Handshake.isWanted(by: request.head) else { return try await responder(request, writer, channel) }
            // A connection that has served other requests cannot become a WebSocket, and is not read after this one.
            let refusal = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])
            try await writer.writeResponse(refusal)
            channel.close(mode: .input, promise: nil)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.opened()
        channel.closeFuture.whenComplete { [connections] _ in connections.closed() }
        return channel.eventLoop.makeCompletedFuture {
            let promise = channel.eventLoop.makePromise(of: Negotiation.Outcome.self)
            let codecs = Negotiation.Codecs(
                decoder: ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)),
                encoder: HTTPResponseEncoder(),
                translator: HTTP1ToHTTPServerCodec(secure: false)
            )
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(codecs.decoder)
            try pipeline.addHandler(codecs.encoder)
            try pipeline.addHandler(codecs.translator)
            try pipeline.addHandler(
                Negotiation(codecs, time: handshakeTime, promise: promise, logger: logger, decide: decide)
            )
            return Value(channel: channel, outcome: promise.futureResult)
        }
    }

    /// Serves an HTTP connection. A WebSocket continues without this task.
    func handle(value: Value, logger: Logger) async {
        guard case .http(let channel)? = try? await value.outcome.get() else { return }
        await handleHTTP(asyncChannel: channel, logger: logger)
    }
}
