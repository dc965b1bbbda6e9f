import NIOCore
import NIOPosix

/// The connections of one event loop to one address of a service.
///
/// A connection serves one request at a time. The one used last is used next, so that a quiet pool shrinks.
final class UpstreamPool {
    let endpoint: Endpoint
    private var idle: [UpstreamConnection] = []
    private var isRetired = false
    private let eventLoop: any EventLoop
    private let limits: Limits

    init(_ endpoint: Endpoint, eventLoop: any EventLoop, limits: Limits) {
        self.endpoint = endpoint
        self.eventLoop = eventLoop
        self.limits = limits
    }

    /// An open connection that is not in use.
    func takeIdle() -> UpstreamConnection? {
        idle.popLast()
    }

    /// Opens another connection; `done` is called on this event loop.
    func connect(_ done: @escaping (Result<UpstreamConnection, any Error>) -> Void) {
        let connection = UpstreamConnection(pool: self)
        let handler = NIOLoopBound(connection, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .connectTimeout(limits.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 4)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(to: endpoint.address)
            .assumeIsolated()
            .whenComplete { result in done(result.map { _ in connection }) }
    }

    /// Takes a connection back after a whole answer.
    func giveBack(_ connection: UpstreamConnection, now: NIODeadline) {
        guard !isRetired, idle.count < limits.upstreamIdleCount else { return connection.close() }
        connection.idleSince = now
        idle.append(connection)
    }

    /// An idle connection was closed by the service.
    func remove(_ connection: UpstreamConnection) {
        idle.removeAll { $0 === connection }
    }

    func prune(now: NIODeadline) {
        let expired = idle.prefix { $0.idleSince + limits.upstreamIdleTime < now }
        idle.removeFirst(expired.count)
        for connection in expired { connection.close() }
    }

    /// Closes what is idle now and what comes back later.
    func retire() {
        isRetired = true
        let connections = idle
        idle = []
        for connection in connections { connection.close() }
    }
}
