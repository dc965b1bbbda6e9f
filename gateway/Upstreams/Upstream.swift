import NIOCore
import Synchronization

/// A service as one event loop sees it: a pool of connections for each of its addresses.
final class Upstream {
    private var pools: [UpstreamPool] = []
    private let eventLoop: any EventLoop
    private let limits: Limits

    init(eventLoop: any EventLoop, limits: Limits) {
        self.eventLoop = eventLoop
        self.limits = limits
    }

    /// Takes over the current addresses; pools of those that stay are kept.
    func update(_ endpoints: [Endpoint]) {
        let kept = pools.filter { pool in endpoints.contains { $0 === pool.endpoint } }
        for pool in pools where !kept.contains(where: { $0 === pool }) { pool.retire() }
        pools = endpoints.map { endpoint in
            kept.first { $0.endpoint === endpoint }
                ?? UpstreamPool(endpoint, eventLoop: eventLoop, limits: limits)
        }
    }

    /// The address for the next request: of those that are up, the one with the fewest requests outstanding.
    ///
    /// - Parameters:
    ///   - tried: addresses that have just failed the same request.
    ///   - orUnready: whether one that is down will do when no other is there.
    func pick(except tried: [Endpoint], orUnready: Bool = false, now: NIODeadline) -> UpstreamPool? {
        if pools.count == 1, tried.isEmpty, let only = pools.first {
            return only.endpoint.state(now: now) == .down && !orUnready ? nil : only
        }
        var best: UpstreamPool?
        var bestRank = (Int.max, Int.max)
        for pool in pools where !tried.contains(where: { $0 === pool.endpoint }) {
            let state = pool.endpoint.state(now: now)
            guard state != .down || orUnready else { continue }
            let rank = (state.rank, pool.endpoint.outstanding.load(ordering: .relaxed))
            if rank < bestRank { (best, bestRank) = (pool, rank) }
        }
        return best
    }

    /// Closes connections that have been unused for too long.
    func prune(now: NIODeadline) {
        for pool in pools { pool.prune(now: now) }
    }
}
