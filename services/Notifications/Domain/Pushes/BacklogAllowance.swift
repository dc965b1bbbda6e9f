import FoundationEssentials

/// A rate limit for overdue pushes, so that a backlog after an outage is sent evenly.
struct BacklogAllowance: Sendable {
    /// Pushes per second.
    let rate: Double
    private var saved = 0.0
    private var asOf: Date?

    init(rate: Double) {
        self.rate = rate
    }

    /// Number of pushes allowed now, at most a tenth of a second's worth.
    mutating func available(at now: Date) -> Int {
        let earned = asOf.map { max(0, now.timeIntervalSince($0)) * rate } ?? 1
        saved = min(saved + earned, max(1, rate / 10))
        asOf = now
        return Int(saved)
    }

    /// Seconds until the next push is allowed.
    var wait: TimeInterval { max(0, 1 - saved) / rate }

    mutating func spend(_ count: Int) {
        saved -= Double(count)
    }
}
