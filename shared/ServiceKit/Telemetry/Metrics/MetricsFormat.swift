/// A text format of metrics.
package enum MetricsFormat: Sendable {
    /// Prometheus, version 0.0.4.
    case prometheus
    /// OpenMetrics 1.0, which has exemplars.
    case openMetrics

    /// - Parameter accept: The `Accept` field of the request.
    package init(accept: String?) {
        self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .prometheus
    }

    package var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The name of the family that a metric belongs to: that of a counter is without `_total` in OpenMetrics.
    func family(_ name: String, _ kind: String) -> String {
        switch self {
        case .openMetrics where kind == "counter" && name.hasSuffix("_total"): String(name.dropLast("_total".count))
        default: name
        }
    }

    /// The name of a sample; every counter's ends with `_total` in OpenMetrics.
    func sample(_ name: String, _ kind: String, _ suffix: String) -> String {
        switch self {
        case .openMetrics where kind == "counter" && !name.hasSuffix("_total"): "\(name)_total"
        default: name + suffix
        }
    }

    func exemplar(_ exemplar: MetricExemplar?) -> String {
        guard self == .openMetrics, let exemplar else { return "" }
        return ##" # {trace_id="\##(exemplar.trace.traceID)",span_id="\##(exemplar.trace.spanID)"} "##
            + "\(exemplar.value) \(exemplar.time)"
    }
}

/// A value that was recorded during a request, with its trace.
struct MetricExemplar {
    var trace: TraceContext
    var value: Double
    /// Seconds since 1970.
    var time: Double
}
