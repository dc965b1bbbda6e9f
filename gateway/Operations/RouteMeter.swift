import Apps
import Contracts
import Metrics
import NIOCore

/// A route and its metrics on one event loop. The counters are looked up once instead of once per request.
final class RouteMeter {
    /// nil for requests without a route.
    let route: Route?
    /// The operation's path, for logs and metrics.
    let name: String
    private var counters: [Int: Counter] = [:]
    private lazy var time = Timer(label: "gateway_request_seconds", dimensions: facts)

    init(_ route: Route?) {
        self.route = route
        self.name = route?.operation.path ?? "unknown"
    }

    private var facts: [(String, String)] {
        [("app", route?.app.rawValue ?? "-"), ("route", name)]
    }

    func record(status: Int, took time: TimeAmount) {
        self.time.recordNanoseconds(time.nanoseconds)
        counter(status).increment()
    }

    private func counter(_ status: Int) -> Counter {
        if let counter = counters[status] { return counter }
        let counter = Counter(label: "gateway_requests_total", dimensions: facts + [("status", String(status))])
        counters[status] = counter
        return counter
    }
}
