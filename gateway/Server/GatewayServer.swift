import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle

/// The public server: accepts client connections until shutdown, then lets the requests in flight complete.
struct GatewayServer: Service {
    /// A port for clients.
    struct Port: Sendable {
        let number: Int
        /// The setting that has the number.
        let setting: String
        let pipeline: ClientPipeline
        /// Called with the address once connections are accepted.
        let onListening: @Sendable (SocketAddress) -> Void
    }

    let group: MultiThreadedEventLoopGroup
    let loops: EventLoopContexts
    let core: GatewayCore
    let logger: Logger
    let ports: [Port]
    let listeners: Listeners
    /// The process whose listening sockets are taken over; nil if there is none.
    let predecessor: HandoverClient?
    let directory: UpstreamDirectory

    func run() async throws {
        await predecessor?.waitUntilReady(core.keys, directory)
        await predecessor?.takeSessions(core)
        var channels: [any Channel] = []
        do {
            for port in ports { channels.append(try await listen(port)) }
        } catch {
            for channel in channels { try? await channel.close() }
            throw error
        }
        predecessor?.closeRest()
        for (port, channel) in zip(ports, channels) {
            guard let address = channel.localAddress else { continue }
            logger.notice("server: listening", metadata: ["address": "\(address)", "setting": "\(port.setting)"])
            listeners.add(channel, setting: port.setting)
            port.onListening(address)
        }
        listeners.opened.wake()
        try await withTaskCancellationOrGracefulShutdownHandler {
            for channel in channels { try await channel.closeFuture.get() }
        } onCancelOrGracefulShutdown: { [channels, loops] in
            // A client that finds the ports closed is answered that its connection closes, too.
            loops.forEach { _ = $0.drain() }
            for channel in channels { channel.close(promise: nil) }
        }
        await drain()
    }

    private func listen(_ port: Port) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 64)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { [loops, core] channel in
                channel.eventLoop.makeCompletedFuture { try Self.accept(channel, port.pipeline, loops, core) }
            }
        do {
            if let descriptor = predecessor?.takeDescriptor(of: port.setting, port: port.number) {
                return try await bootstrap.withBoundSocket(descriptor).get()
            }
            return try await bootstrap.bind(host: core.configuration.host, port: port.number).get()
        } catch let error as IOError where error.isPortTaken {
            throw PortTaken(port: port.number, setting: port.setting)
        }
    }

    /// - Throws: `TooManyConnections`; the channel is then closed.
    private static func accept(
        _ channel: any Channel,
        _ pipeline: ClientPipeline,
        _ loops: EventLoopContexts,
        _ core: GatewayCore
    ) throws {
        let peer = IPAddress(channel.remoteAddress)
        let proxies = core.configuration.proxies
        let isProxy = peer.map(proxies.contains) ?? false
        guard let loop = loops.context(of: channel.eventLoop),
            let limit = core.clientLimits.enter(ClientAddress(peer), isProxy: isProxy)
        else { throw TooManyConnections() }
        channel.closeFuture.whenComplete { _ in core.clientLimits.leave(limit) }
        let origin = RequestOrigin(peer, limit)
        if isProxy, proxies.source == .proxyProtocol {
            let header = ProxyHeaderHandler(pipeline, loop: loop, proxy: origin)
            try channel.pipeline.syncOperations.addHandler(header)
        } else {
            try pipeline.start(channel.pipeline, loop, origin, isProxy: isProxy)
        }
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
    /// `PORT`, `TLS_PORT` or `ADMIN_PORT`.
    var setting: String

    var description: String { "port \(port) is taken; stop the other program or choose another \(setting)" }
}

extension IOError {
    var isPortTaken: Bool { errnoCode == EADDRINUSE }
}
