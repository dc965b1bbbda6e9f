import Metrics

/// Why spans were dropped, in the metric `trace_spans_dropped_total`.
package enum DroppedSpans: String, CaseIterable, Sendable {
    /// The collector was away or refused them.
    case queue
    /// Too many were below one span.
    case fragment
    /// The gateway had too many requests of which no span was made yet.
    case gateway

    package func count(_ spans: Int) {
        if spans > 0 { counter.increment(by: spans) }
    }

    /// Has the metric start with 0, so that its first increase is seen.
    static func begin() {
        for reason in allCases { reason.counter.increment(by: 0) }
    }

    private var counter: Counter { Counter(label: "trace_spans_dropped_total", dimensions: [("reason", rawValue)]) }
}
