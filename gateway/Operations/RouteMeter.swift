import Contracts
import Metrics
import NIOCore

/// A route with what is counted about it on one event loop. The counters are looked up once, not once a request.
final class RouteMeter {
    /// nil for requests that no route was found for.
    let route: Route?
    /// For logs and metrics: the route's pattern.
    let name: String
    private var counters: [Int: Counter] = [:]
    private lazy var time = Timer(label: "gateway_request_seconds", dimensions: facts)

    init(_ route: Route?) {
        self.route = route
        self.name = route?.pattern ?? "unknown"
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
