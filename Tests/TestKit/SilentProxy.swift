import NIOCore
import NIOPosix
import Synchronization

/// A proxy before a server on this machine that loses one request of a client, or its answer, as a cut network does: the
/// connection stays open, and no more arrives.
package final class SilentProxy: Sendable {
    /// What does not arrive any more.
    package enum Loss: Sendable, CaseIterable {
        /// What the client sends, and all after it.
        case request
        /// What the server answers, and all after it.
        case answer
    }

    fileprivate struct Plan {
        var loss: Loss
        var text: String
        var isForGood: Bool
    }

    package let port: Int
    private let channel: any Channel
    private let state: State

    fileprivate final class State: Sendable {
        let plan = Mutex<Plan?>(nil)
        /// Whether new connections are closed at once.
        let isAway = Mutex(false)

        /// What is lost from these bytes on; nil for nothing.
        func loss(of bytes: ByteBuffer) -> Loss? {
            plan.withLock { plan in
                guard let found = plan, String(buffer: bytes).contains(found.text) else { return nil }
                if found.isForGood { isAway.withLock { $0 = true } }
                plan = nil
                return found.loss
            }
        }
    }

    private init(_ channel: any Channel, _ state: State) {
        (self.channel, self.state) = (channel, state)
        port = channel.localAddress?.port ?? 0
    }

    package static func start(before server: Int) async throws -> SilentProxy {
        let state = State()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                guard !state.isAway.withLock(\.self) else { return client.close() }
                return ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: server)
                    .flatMapThrowing { upstream in
                        let cut = Cut()
                        try client.pipeline.syncOperations.addHandler(Relay(to: upstream, cut, watching: state))
                        try upstream.pipeline.syncOperations.addHandler(Relay(to: client, cut, watching: nil))
                    }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return SilentProxy(channel, state)
    }

    /// Loses once what follows a text of a client, in the connection that sends it.
    ///
    /// - Parameter isForGood: Whether new connections are refused afterwards.
    package func lose(_ loss: Loss, at text: String, forGood isForGood: Bool = false) {
        state.plan.withLock { $0 = Plan(loss: loss, text: text, isForGood: isForGood) }
    }

    package func stop() async throws { try await channel.close() }

    /// What one connection has lost. Its channels have the same event loop.
    private final class Cut {
        var loss: Loss?
    }

    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let cut: Cut
        private let state: State?

        /// - Parameter state: nil for what the server sends.
        init(to other: any Channel, _ cut: Cut, watching state: State?) {
            (self.other, self.cut, self.state) = (other, cut, state)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if cut.loss == nil, let state { cut.loss = state.loss(of: bytes) }
            guard cut.loss != (state == nil ? .answer : .request) else { return }
            other.writeAndFlush(bytes, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // What one end has closed stays open at the other one, which a cut network does not tell.
            if cut.loss == nil { other.close(promise: nil) }
        }
    }
}
