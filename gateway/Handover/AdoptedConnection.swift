import Glibc
import NIOCore
import NIOPosix

/// A connection taken over from another process, which is not read yet.
struct AdoptedConnection: Sendable {
    let channels: [any Channel]
    /// A client connection, which may have received the beginning of a request; nil for a tunnel.
    private let client: NIOLoopBound<ClientConnection>?
    private let tunnel: NIOLoopBound<Tunnel>?

    /// Opens channels for descriptors, which belong to them from then on.
    static func open(
        _ moved: MovedConnection,
        _ descriptors: [CInt],
        on eventLoop: any EventLoop,
        _ loops: EventLoopContexts
    ) -> EventLoopFuture<AdoptedConnection> {
        let opening = descriptors.map { descriptor in
            ClientBootstrap(group: eventLoop)
                .channelOption(.autoRead, value: false)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.maxMessagesPerRead, value: 4)
                .withConnectedSocket(descriptor)
                .flatMapErrorThrowing { error in
                    close(descriptor)
                    throw error
                }
        }
        return EventLoopFuture.whenAllComplete(opening, on: eventLoop).flatMapThrowing { results in
            let channels = results.compactMap { try? $0.get() }
            do {
                for result in results { _ = try result.get() }
                return try install(moved, channels, loops)
            } catch {
                for channel in channels { channel.close(promise: nil) }
                throw error
            }
        }
    }

    private static func install(
        _ moved: MovedConnection,
        _ channels: [any Channel],
        _ loops: EventLoopContexts
    ) throws -> AdoptedConnection {
        guard let channel = channels.first, let loop = loops.context(of: channel.eventLoop) else {
            throw ChannelError.inappropriateOperationForState
        }
        let peer = IPAddress(channel.remoteAddress)
        let stated = moved.address.flatMap { IPAddress($0) }
        let limit = loop.core.clientLimits.adopt(
            ClientAddress(peer),
            for: stated.map { ClientAddress($0) },
            until: channel.closeFuture
        )
        let origin = RequestOrigin(stated ?? peer, limit)
        guard let tunnel = moved.tunnel else {
            let proxies = loop.core.configuration.proxies
            let isProxy = stated == nil && proxies.source != .proxyProtocol && peer.map(proxies.contains) ?? false
            let client = ClientConnection(loop: loop, origin: origin, isProxy: isProxy, isIdle: true)
            try channel.pipeline.syncOperations.addHandler(client)
            client.reader.append(ByteBuffer(bytes: moved.bytes))
            return AdoptedConnection(
                channels: channels,
                client: NIOLoopBound(client, eventLoop: channel.eventLoop),
                tunnel: nil
            )
        }
        guard channels.count == 2 else { throw ChannelError.inappropriateOperationForState }
        let taken = Tunnel(
            from: origin.address,
            to: tunnel.service.flatMap { loop.endpoint($0, tunnel.endpoint) },
            of: tunnel.service,
            session: tunnel.session,
            fromClient: tunnel.fromClient,
            fromService: tunnel.fromService,
            lastPassed: .now() - .milliseconds(tunnel.idleMilliseconds),
            on: loop
        )
        guard taken.open(channels[0], channels[1], standsStill: true) else { throw ChannelError.ioOnClosedChannel }
        let bound = NIOLoopBound(taken, eventLoop: channel.eventLoop)
        return AdoptedConnection(channels: channels, client: nil, tunnel: bound)
    }

    /// Starts to read.
    func start() {
        guard let first = channels.first else { return }
        first.eventLoop.execute {
            tunnel?.value.stay()
            client?.value.stay()
            client?.value.wake()
            client?.value.process()
        }
    }
}
