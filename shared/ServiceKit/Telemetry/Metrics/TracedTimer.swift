/// A histogram of times, in seconds, for code on event loops, which has traces without tasks.
package struct TracedTimer: Sendable {
    let histogram: HistogramMetric

    /// - Parameters:
    ///   - trace: The trace, if it is recorded.
    ///   - time: When the time was measured, in seconds since 1970.
    package func record(nanoseconds: Int64, of trace: TraceContext?, at time: Double) {
        let seconds = Double(nanoseconds) / 1_000_000_000
        histogram.record(seconds, trace.map { MetricExemplar(trace: $0, value: seconds, time: time) })
    }
}
