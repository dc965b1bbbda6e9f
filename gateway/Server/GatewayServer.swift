import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The public server: accepts client connections until shutdown, then lets the requests in flight complete.
struct GatewayServer: Service {
    let group: MultiThreadedEventLoopGroup
    let loops: EventLoopContexts
    let core: GatewayCore
    let logger: Logger
    /// Called with the address once connections are accepted.
    let onListening: @Sendable (SocketAddress) -> Void

    func run() async throws {
        let channel = try await listen()
        if let address = channel.localAddress {
            logger.notice("server: listening", metadata: ["address": "\(address)"])
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
                .childChannelInitializer { [loops, core] channel in
                    channel.eventLoop.makeCompletedFuture { try Self.accept(channel, loops, core) }
                }
                .bind(host: host, port: port)
                .get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw PortTaken(port: port)
        }
    }

    /// - Throws: `TooManyConnections`; the channel is then closed.
    private static func accept(_ channel: any Channel, _ loops: EventLoopContexts, _ core: GatewayCore) throws {
        guard let loop = loops.context(of: channel.eventLoop),
            let limit = core.clientLimits.enter(ClientAddress(channel.remoteAddress))
        else { throw TooManyConnections() }
        channel.closeFuture.whenComplete { _ in core.clientLimits.leave(limit) }
        let connection = ClientConnection(loop: loop, limit: limit, address: channel.remoteAddress)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    private func drain() async {
        await withTaskGroup { tasks in
            tasks.addTask { _ = try? await loops.drain() }
            tasks.addTask { [time = core.configuration.drainTime] in try? await Task.sleep(for: time) }
            await tasks.next()
            tasks.cancelAll()
            loops.forEach { $0.cut() }
        }
    }
}

/// The limit on connections, in total or from one address, is reached.
struct TooManyConnections: Error {}

/// The port is in use by another program.
struct PortTaken: Error, Equatable, CustomStringConvertible {
    var port: Int

    var description: String { "port \(port) is taken; stop the other program or choose another PORT" }
}
