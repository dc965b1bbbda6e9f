import Logging
import NIOCore
import NIOTLS

/// Waits for the TLS handshake of a connection, and then adds the handlers of the protocol that the client chose in it (RFC
/// 7301).
final class TLSHandshake: ChannelInboundHandler, RemovableChannelHandler, TimedHandler {
    typealias InboundIn = ByteBuffer

    let loop: EventLoopContext
    private let origin: RequestOrigin
    private let isProxy: Bool
    private let deadline: NIODeadline
    var context: ChannelHandlerContext?

    init(loop: EventLoopContext, origin: RequestOrigin, isProxy: Bool) {
        self.loop = loop
        self.origin = origin
        self.isProxy = isProxy
        deadline = .now() + loop.core.limits.headTime
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let chosen): start(chosen, context)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: break
        }
    }

    private func start(_ chosen: String?, _ context: ChannelHandlerContext) {
        do {
            if chosen == "h2" {
                try HTTP2Connection.start(on: context.channel, loop: loop, origin: origin, isProxy: isProxy)
            } else {
                let connection = ClientConnection(loop: loop, origin: origin, isProxy: isProxy)
                try context.pipeline.syncOperations.addHandler(connection)
            }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    /// A handshake that fails: the client has been sent an alert.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        loop.core.logger.debug("tls: handshake failed", metadata: ["error": "\(error)", "client": "\(origin.text)"])
        context.close(promise: nil)
    }

    // MARK: TimedConnection

    func tick(now: NIODeadline) {
        if now >= deadline { cut() }
    }

    func drain() { cut() }
}
