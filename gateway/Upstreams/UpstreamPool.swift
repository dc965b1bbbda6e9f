import NIOCore
import NIOPosix

/// The connections of one event loop to one address of a service.
///
/// A connection serves one request at a time. The most recently used one is reused first, so that a quiet pool shrinks.
/// The number of concurrent connection attempts is limited: a service could not accept thousands of new connections at
/// once, and waiting requests take over connections that others have finished with.
final class UpstreamPool {
    /// A request that waits for a connection.
    struct Waiting {
        /// Whether a connection that has served other requests may be used.
        var mayReuse: Bool
        /// Whether the request still needs a connection.
        var isWanted: () -> Bool
        /// Called on this event loop; `isReused` is true if the connection has served other requests.
        var done: (Result<UpstreamConnection, any Error>, _ isReused: Bool) -> Void
    }

    let endpoint: Endpoint
    private var idle: [UpstreamConnection] = []
    private var waiting = CircularBuffer<Waiting>()
    private var opening = 0
    private var isRetired = false
    private let eventLoop: any EventLoop
    private let limits: Limits

    init(_ endpoint: Endpoint, eventLoop: any EventLoop, limits: Limits) {
        self.endpoint = endpoint
        self.eventLoop = eventLoop
        self.limits = limits
    }

    /// Removes an idle connection from the pool, if there is one.
    func takeIdle() -> UpstreamConnection? {
        idle.popLast()
    }

    /// Opens another connection, or waits for one.
    func connect(_ request: Waiting) {
        guard opening < limits.upstreamOpening else { return waiting.append(request) }
        open { request.done($0, false) }
    }

    private func open(_ done: @escaping (Result<UpstreamConnection, any Error>) -> Void) {
        opening += 1
        connect(to: endpoint.socket ?? endpoint.address) { [self] result in
            opening -= 1
            done(result)
            openNext()
        }
    }

    private func connect(
        to address: SocketAddress,
        _ done: @escaping (Result<UpstreamConnection, any Error>) -> Void
    ) {
        let connection = UpstreamConnection(pool: self)
        let handler = NIOLoopBound(connection, eventLoop: eventLoop)
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(limits.connectTime)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 4)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
        if address.port != nil { bootstrap = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1) }
        bootstrap.connect(to: address)
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success: done(.success(connection))
                // A service that does not listen there, or has too many who wait, may do so at its port.
                case .failure where address != endpoint.address: connect(to: endpoint.address, done)
                case .failure(let error): done(.failure(error))
                }
            }
    }

    private func openNext() {
        while opening < limits.upstreamOpening, let request = waiting.popFirst() {
            if request.isWanted() { open { request.done($0, false) } }
        }
    }

    /// Returns a connection to the pool after a complete response.
    func giveBack(_ connection: UpstreamConnection, now: NIODeadline) {
        guard !isRetired else { return connection.close() }
        while let next = waiting.first, next.mayReuse {
            waiting.removeFirst()
            if next.isWanted() { return next.done(.success(connection), true) }
        }
        guard idle.count < limits.upstreamIdleCount else { return connection.close() }
        connection.idleSince = now
        idle.append(connection)
    }

    /// Removes an idle connection that the service has closed.
    func remove(_ connection: UpstreamConnection) {
        idle.removeAll { $0 === connection }
    }

    func prune(now: NIODeadline) {
        let expired = idle.prefix { $0.idleSince + limits.upstreamIdleTime < now }
        idle.removeFirst(expired.count)
        for connection in expired { connection.close() }
    }

    /// Closes idle connections now and busy ones when they are returned.
    func retire() {
        isRetired = true
        let connections = idle
        idle = []
        for connection in connections { connection.close() }
    }
}
