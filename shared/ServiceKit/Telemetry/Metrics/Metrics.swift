import CoreMetrics
import FoundationEssentials
import Synchronization
import Tracing

/// A metric that can be written in the Prometheus text format.
protocol Metric: Sendable {
    var kind: String { get }
    var samples: [MetricSample] { get }
}

/// One line: `name{suffix}{label} value`.
struct MetricSample {
    var suffix = ""
    var label: String?
    var value: String
    var exemplar: MetricExemplar?
}

/// A value that only increases.
final class CounterMetric: CounterHandler, Metric {
    private let value = Atomic<Int64>(0)

    var kind: String { "counter" }
    var samples: [MetricSample] { [MetricSample(value: String(value.load(ordering: .relaxed)))] }

    func increment(by amount: Int64) {
        value.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        value.store(0, ordering: .relaxed)
    }
}

/// The value that was set last.
final class GaugeMetric: RecorderHandler, MeterHandler, Metric {
    private let value = Mutex(0.0)

    var kind: String { "gauge" }
    var samples: [MetricSample] { [MetricSample(value: "\(value.withLock { $0 })")] }

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
}

/// The number of values below each of several bounds.
final class HistogramMetric: TimerHandler, RecorderHandler, Metric {
    /// Bounds for times, in seconds.
    static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Bounds for sizes and counts.
    static let sizes = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576].map(Double.init)

    private struct State {
        var buckets: [Int]
        var count = 0
        var sum = 0.0
        /// The last of each bucket, the one without a bound included.
        var exemplars: [MetricExemplar?]
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        self.state = Mutex(
            State(
                buckets: Array(repeating: 0, count: bounds.count),
                exemplars: Array(repeating: nil, count: bounds.count + 1)
            )
        )
    }

    var kind: String { "histogram" }

    var samples: [MetricSample] {
        let state = state.withLock { $0 }
        var below = 0
        var samples: [MetricSample] = []
        for (index, (bound, bucket)) in zip(bounds, state.buckets).enumerated() {
            below += bucket
            samples.append(
                MetricSample(
                    suffix: "_bucket",
                    label: "le=\"\(bound)\"",
                    value: String(below),
                    exemplar: state.exemplars[index]
                )
            )
        }
        samples.append(
            MetricSample(
                suffix: "_bucket",
                label: "le=\"+Inf\"",
                value: String(state.count),
                exemplar: state.exemplars[bounds.count]
            )
        )
        samples.append(MetricSample(suffix: "_sum", value: "\(state.sum)"))
        samples.append(MetricSample(suffix: "_count", value: String(state.count)))
        return samples
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let context = ServiceContext.current
        // Only a trace that is recorded can be looked up.
        let trace = context?.fragment == nil ? nil : context?.trace
        record(
            value,
            trace.map { MetricExemplar(trace: $0, value: value, time: Date.now.timeIntervalSince1970) }
        )
    }

    func record(_ value: Double, _ exemplar: MetricExemplar?) {
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let exemplar { state.exemplars[bucket ?? bounds.count] = exemplar }
            if let bucket { state.buckets[bucket] += 1 }
            state.count += 1
            state.sum += value
        }
    }
}
