import Synchronization

/// How long nearly all spans of a name take, estimated from those that have ended.
final class DurationQuantiles: Sendable {
    /// An estimate of the 99th percentile, by stochastic approximation of its logarithm: steps upward are 99 times as long
    /// as those downward, so that they balance where one of 100 is above.
    private struct Estimate {
        var nanoseconds: Double
        var count = 0

        mutating func record(_ value: Double) {
            // Early steps are larger.
            let step = max(0.02, 1 / Double(count + 2))
            nanoseconds *= value > nanoseconds ? 1 + 0.99 * step : 1 - 0.01 * step
            count += 1
        }
    }

    /// The number of names that are distinguished.
    private static let limit = 2000
    /// The number of spans before an estimate is used.
    private static let fewest = 200
    /// Less is never slow.
    private static let floor = 20_000_000.0

    private let estimates = Mutex<[String: Estimate]>([:])

    /// - Returns: Whether it took longer than 99 of 100.
    func record(_ nanoseconds: UInt64, of name: String) -> Bool {
        let value = Double(nanoseconds)
        return estimates.withLock { estimates in
            guard estimates[name] != nil || estimates.count < Self.limit else { return false }
            var estimate = estimates[name] ?? Estimate(nanoseconds: max(value, 1))
            let isSlow = estimate.count >= Self.fewest && value > max(estimate.nanoseconds, Self.floor)
            estimate.record(value)
            estimates[name] = estimate
            return isSlow
        }
    }
}
