import Contracts
import Metrics
import NIOCore
import ServiceKit
import Synchronization

/// The metrics of `/metrics` besides the counters of routes. They are read from the event loops on request.
final class GatewayMetrics: Sendable {
    let loops: EventLoopContexts
    let directory: UpstreamDirectory
    let core: GatewayCore
    /// The values of counters when they were read last.
    private let totals = Mutex<[String: Int]>([:])

    init(loops: EventLoopContexts, directory: UpstreamDirectory, core: GatewayCore) {
        (self.loops, self.directory, self.core) = (loops, directory, core)
    }

    /// The metrics of one event loop.
    private struct Facts: Sendable {
        var connections: Int
        var tunnels: Int
        var moved: Int
        var notMoved: Int
        var cachedTokens: Int
        var hits: Int
        var misses: Int
    }

    func exposition(_ format: MetricsFormat) async throws -> String {
        let facts = try await loops.map { loop in
            Facts(
                connections: loop.connectionCount - loop.tunnelCount,
                tunnels: loop.tunnelCount,
                moved: loop.moves.count,
                notMoved: loop.moves.failedCount,
                cachedTokens: loop.authenticator.cachedTokens,
                hits: loop.authenticator.hits,
                misses: loop.authenticator.misses
            )
        }
        set("gateway_connections", facts.map(\.connections))
        set("gateway_websockets", facts.map(\.tunnels))
        count("gateway_websockets_moved_total", facts.map(\.moved))
        count("gateway_websockets_not_moved_total", facts.map(\.notMoved))
        set("gateway_cached_tokens", facts.map(\.cachedTokens))
        count("gateway_token_cache_hits_total", facts.map(\.hits))
        count("gateway_token_cache_misses_total", facts.map(\.misses))
        let refreshes = core.refreshes.counts
        count("gateway_refreshes_total", [refreshes.refreshed])
        count("gateway_refreshes_refused_total", [refreshes.refused])
        count("gateway_refreshes_reused_total", [refreshes.reused])
        set("gateway_refreshes_waiting", [refreshes.waiting])
        count("gateway_refreshes_turned_away_total", [refreshes.rejected])
        count("gateway_first_uses_dropped_total", [core.firstUses.droppedCount])
        set("gateway_revoked_sessions", [core.revocations.count])
        count("gateway_log_batches_dropped_total", [core.logWriter?.droppedCount ?? 0])
        for endpoint in directory.current.values.joined() { report(endpoint) }
        return MetricsRegistry.shared.exposition(format)
    }

    private func report(_ endpoint: Endpoint) {
        let facts = [("service", endpoint.service.rawValue), ("address", endpoint.name)]
        let isUp = endpoint.state(now: .now()) == .available
        Meter(label: "gateway_upstream_up", dimensions: facts).set(isUp ? 1 : 0)
        let (outstanding, refused) = endpoint.load.withLock { ($0.outstanding, $0.refused) }
        Meter(label: "gateway_upstream_outstanding", dimensions: facts).set(outstanding)
        Meter(label: "gateway_upstream_full", dimensions: facts).set(refused)
        Meter(label: "gateway_upstream_websockets", dimensions: facts).set(endpoint.tunnels.load(ordering: .relaxed))
    }

    /// Sets a counter, of which the event loops have the values since the start.
    private func count(_ label: String, _ values: [Int]) {
        let total = values.reduce(0, +)
        let grown = totals.withLock { totals in
            defer { totals[label] = max(total, totals[label, default: 0]) }
            return max(0, total - totals[label, default: 0])
        }
        Counter(label: label).increment(by: grown)
    }

    private func set(_ label: String, _ values: [Int]) {
        Meter(label: label).set(values.reduce(0, +))
    }
}
