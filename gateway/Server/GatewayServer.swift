import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The port where phones come in: accepts connections until it is told to stop, then lets every request end.
struct GatewayServer: Service {
    let group: MultiThreadedEventLoopGroup
    let workers: Workers
    let core: GatewayCore
    let logger: Logger
    /// Told the address when connections are taken.
    let onListening: @Sendable (SocketAddress) -> Void

    func run() async throws {
        let channel = try await listen()
        if let address = channel.localAddress {
            logger.notice("listening", metadata: ["address": "\(address)"])
            onListening(address)
        }
        try await withGracefulShutdownHandler {
            try await channel.closeFuture.get()
        } onGracefulShutdown: {
            channel.close(promise: nil)
        }
        await drain()
    }

    private func listen() async throws -> any Channel {
        let (host, port) = (core.configuration.host, core.configuration.port)
        do {
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 4096)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.maxMessagesPerRead, value: 64)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.maxMessagesPerRead, value: 4)
                .childChannelInitializer { [workers, core] channel in
                    channel.eventLoop.makeCompletedFuture { try Self.accept(channel, workers, core) }
                }
                .bind(host: host, port: port)
                .get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw PortTaken(port: port)
        }
    }

    /// - Throws: when there are too many connections; the channel is then closed.
    private static func accept(_ channel: any Channel, _ workers: Workers, _ core: GatewayCore) throws {
        guard let worker = workers.worker(of: channel.eventLoop),
            let peer = core.peers.enter(PeerAddress(channel.remoteAddress))
        else { throw TooManyConnections() }
        channel.closeFuture.whenComplete { _ in core.peers.leave(peer) }
        let connection = ClientConnection(worker: worker, peer: peer, address: channel.remoteAddress)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    private func drain() async {
        await withTaskGroup { tasks in
            tasks.addTask { _ = try? await workers.drain() }
            tasks.addTask { [time = core.configuration.drainTime] in try? await Task.sleep(for: time) }
            await tasks.next()
            tasks.cancelAll()
            workers.forEach { $0.cut() }
        }
    }
}

/// More connections than are taken, altogether or from one address.
struct TooManyConnections: Error {}

/// Somebody else listens on the port.
struct PortTaken: Error, Equatable, CustomStringConvertible {
    var port: Int

    var description: String { "port \(port) is taken; stop the other program or choose another PORT" }
}
