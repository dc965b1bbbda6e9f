package import CoreMetrics
import Synchronization

/// A swift-metrics backend that keeps all metrics in memory and writes them in a text format, with those of the process.
///
/// Counters are counters, meters and plain recorders are gauges, timers are histograms in seconds and aggregating
/// recorders are histograms in their own unit.
package final class MetricsRegistry: MetricsFactory, Sendable {
    /// The registry that `Telemetry.bootstrap` installs.
    package static let shared = MetricsRegistry()

    private let metrics = Mutex<[MetricID: any Metric]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(label, dimensions) { CounterMetric() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            metric(label, dimensions) { HistogramMetric(bounds: HistogramMetric.sizes) }
        } else {
            metric(label, dimensions) { GaugeMetric() }
        }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions) { GaugeMetric() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions) { HistogramMetric(bounds: HistogramMetric.seconds) }
    }

    package func tracedTimer(label: String, dimensions: [(String, String)]) -> TracedTimer {
        TracedTimer(histogram: metric(label, dimensions) { HistogramMetric(bounds: HistogramMetric.seconds) })
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// All metrics, sorted by name.
    package func exposition(_ format: MetricsFormat = .prometheus) -> String {
        let process = ProcessMetrics.all.map { (key: MetricID(label: $0.name, dimensions: []), value: $0.metric) }
        let all = (metrics.withLock { Array($0) } + process).sorted { $0.key < $1.key }
        var text = ""
        var name = ""
        for (id, metric) in all {
            if id.name != name {
                name = id.name
                let family = format.family(name, metric.kind)
                if let help = MetricHelp.texts[name] { text += "# HELP \(family) \(help)\n" }
                text += "# TYPE \(family) \(metric.kind)\n"
            }
            for sample in metric.samples {
                text += format.sample(name, metric.kind, sample.suffix) + id.labels(adding: sample.label)
                text += " \(sample.value)\(format.exemplar(sample.exemplar))\n"
            }
        }
        return format == .openMetrics ? text + "# EOF\n" : text
    }

    private func metric<M: Metric>(_ label: String, _ dimensions: [(String, String)], make: () -> M) -> M {
        let id = MetricID(label: label, dimensions: dimensions)
        return metrics.withLock { metrics in
            if let known = metrics[id] as? M { return known }
            let new = make()
            metrics[id] = new
            return new
        }
    }
}

/// A metric's name and labels, in the characters that the text format allows.
private struct MetricID: Hashable, Comparable {
    var name: String
    var dimensions: String

    init(label: String, dimensions: [(String, String)]) {
        self.name = Self.name(label)
        self.dimensions = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    static func < (left: MetricID, right: MetricID) -> Bool {
        (left.name, left.dimensions) < (right.name, right.dimensions)
    }

    func labels(adding label: String?) -> String {
        let labels = [dimensions, label ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
        return labels.isEmpty ? "" : "{\(labels)}"
    }

    // Both are called for every request, and most texts need no change.

    private static func name(_ label: String) -> String {
        func isAllowed(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !label.utf8.allSatisfy(isAllowed) else { return label }
        return String(label.map { $0.utf8.count == 1 && $0.utf8.allSatisfy(isAllowed) ? $0 : "_" })
    }

    private static func escaped(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy {
            $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n")
        }
        guard !isPlain else { return value }
        // By scalar: a line break of two is one character.
        return value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
