import NIOCore
import Synchronization

/// A service as seen by one event loop: a connection pool for each of its addresses.
final class Upstream {
    private var pools: [UpstreamPool] = []
    private let eventLoop: any EventLoop
    private let limits: Limits

    init(eventLoop: any EventLoop, limits: Limits) {
        self.eventLoop = eventLoop
        self.limits = limits
    }

    /// Replaces the addresses; the pools of unchanged addresses are kept.
    func update(_ endpoints: [Endpoint]) {
        let kept = pools.filter { pool in endpoints.contains { $0 === pool.endpoint } }
        for pool in pools where !kept.contains(where: { $0 === pool }) { pool.retire() }
        pools = endpoints.map { endpoint in
            kept.first { $0.endpoint === endpoint }
                ?? UpstreamPool(endpoint, eventLoop: eventLoop, limits: limits)
        }
    }

    /// The pool for the next request: of the available addresses, the one that is likely to answer first, or for a WebSocket
    /// the one with the fewest.
    ///
    /// - Parameters:
    ///   - tried: The addresses that have just failed the same request.
    ///   - orUnready: Whether an address that is down may be used if no other is left.
    func pick(except tried: [Endpoint], orUnready: Bool = false, isSocket: Bool = false, now: NIODeadline)
        -> UpstreamPool?
    {
        if pools.count == 1, tried.isEmpty, let only = pools.first {
            return only.endpoint.state(now: now) == .down && !orUnready ? nil : only
        }
        var best: UpstreamPool?
        var bestRank = (Int.max, Double.infinity)
        for pool in pools where !tried.contains(where: { $0 === pool.endpoint }) {
            let state = pool.endpoint.state(now: now)
            guard state != .down || orUnready else { continue }
            let cost =
                isSocket
                ? Double(pool.endpoint.tunnels.load(ordering: .relaxed))
                : pool.endpoint.load.withLock { $0.cost(now: now) }
            let rank = (state.rank, cost)
            if rank < bestRank { (best, bestRank) = (pool, rank) }
        }
        return best
    }

    /// The addresses whose WebSockets are to go to another copy: one that was found ready after theirs was not, and has been
    /// for longer. After an outage of all copies at once, of something that they share, none counts as better before
    /// `steadyTime`: otherwise the first to recover would get the sockets of all.
    func abandoned(now: NIODeadline) -> [(endpoint: Endpoint, why: Endpoint.Failing)] {
        guard pools.count > 1 else { return [] }
        return pools.compactMap { pool in
            guard let failing = pool.endpoint.failing else { return nil }
            let hasBetter = pools.contains { other in
                guard other.endpoint.state(now: now) == .available, let ready = other.endpoint.readiness else {
                    return false
                }
                return ready.upperBound >= failing.since
                    && ready.lowerBound <= max(failing.since, now - Self.steadyTime)
            }
            return hasBetter ? (pool.endpoint, failing.why) : nil
        }
    }

    private static let steadyTime = TimeAmount.seconds(10)

    /// - Parameter name: See `Endpoint.name`.
    func endpoint(_ name: String?) -> Endpoint? { pools.first { $0.endpoint.name == name }?.endpoint }

    /// Closes connections that have been idle for too long.
    func prune(now: NIODeadline) {
        for pool in pools { pool.prune(now: now) }
    }
}
