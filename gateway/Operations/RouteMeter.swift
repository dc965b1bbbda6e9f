import Apps
import Contracts
import Metrics
import NIOCore
import ServiceKit

/// A route and its metrics on one event loop. The counters are looked up once instead of once per request.
final class RouteMeter {
    /// nil for requests without a route.
    let route: Route?
    /// The operation's path, for logs and metrics.
    let name: String
    private let registry: MetricsRegistry
    private var counters: [Int: Counter] = [:]
    private lazy var time = registry.tracedTimer(label: "gateway_request_seconds", dimensions: facts)

    init(_ route: Route?, registry: MetricsRegistry = .shared) {
        self.route = route
        self.registry = registry
        self.name = route?.operation.path ?? "unknown"
    }

    private var facts: [(String, String)] {
        [("app", route?.app.rawValue ?? "-"), ("route", name)]
    }

    /// - Parameter trace: The trace, if it is recorded.
    func record(status: Int, took time: TimeAmount, of trace: TraceContext?, at clock: WallClock) {
        let now = Double(clock.seconds) + Double(clock.milliseconds) / 1000
        self.time.record(nanoseconds: time.nanoseconds, of: trace, at: now)
        counter(status).increment()
    }

    private func counter(_ status: Int) -> Counter {
        if let counter = counters[status] { return counter }
        let counter = Counter(
            label: "gateway_requests_total",
            dimensions: facts + [("status", String(status))],
            factory: registry
        )
        counters[status] = counter
        return counter
    }
}
