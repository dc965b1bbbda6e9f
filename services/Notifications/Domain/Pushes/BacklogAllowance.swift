import FoundationEssentials

/// How many pushes that have waited long may go now: as many a second as the rate says, so that what an outage has piled up
/// drains evenly.
struct BacklogAllowance: Sendable {
    /// Pushes a second.
    let rate: Double
    private var saved = 0.0
    private var asOf: Date?

    init(rate: Double) {
        self.rate = rate
    }

    /// How many may go: what has been earned since last time, of at most a tenth of a second.
    mutating func available(at now: Date) -> Int {
        let earned = asOf.map { max(0, now.timeIntervalSince($0)) * rate } ?? 1
        saved = min(saved + earned, max(1, rate / 10))
        asOf = now
        return Int(saved)
    }

    /// Seconds until one may go.
    var wait: TimeInterval { max(0, 1 - saved) / rate }

    mutating func spend(_ count: Int) {
        saved -= Double(count)
    }
}
