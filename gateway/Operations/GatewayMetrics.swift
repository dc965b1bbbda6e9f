import Contracts
import Metrics
import NIOCore
import ServiceKit
import Synchronization

/// The metrics of `/metrics` besides the counters of routes. They are read from the event loops on request.
struct GatewayMetrics: Sendable {
    let loops: EventLoopContexts
    let directory: UpstreamDirectory
    let core: GatewayCore

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

    /// All metrics in the Prometheus text format.
    func exposition() async throws -> String {
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
        set("gateway_websockets_moved", facts.map(\.moved))
        set("gateway_websockets_not_moved", facts.map(\.notMoved))
        set("gateway_cached_tokens", facts.map(\.cachedTokens))
        set("gateway_token_cache_hits", facts.map(\.hits))
        set("gateway_token_cache_misses", facts.map(\.misses))
        let refreshes = core.refreshes.counts
        set("gateway_refreshes", [refreshes.refreshed])
        set("gateway_refreshes_refused", [refreshes.refused])
        set("gateway_refreshes_reused", [refreshes.reused])
        set("gateway_refreshes_waiting", [refreshes.waiting])
        set("gateway_refreshes_turned_away", [refreshes.rejected])
        set("gateway_first_uses_dropped", [core.firstUses.droppedCount])
        set("gateway_revoked_sessions", [core.revocations.count])
        set("gateway_log_batches_dropped", [core.logWriter?.droppedCount ?? 0])
        for endpoint in directory.current.values.joined() { report(endpoint) }
        return MetricsRegistry.shared.exposition()
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

    private func set(_ label: String, _ values: [Int]) {
        Meter(label: label).set(values.reduce(0, +))
    }
}
