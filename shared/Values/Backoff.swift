/// Exponential pauses between attempts, with random jitter so that many clients do not try again at the same time.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private var failures = 0

    /// - Parameters:
    ///   - first: the pause after the first failure.
    ///   - longest: the limit of its doublings.
    package init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Records a failure.
    ///
    /// - Returns: the pause before the next attempt.
    package mutating func next() -> Duration {
        var random = SystemRandomNumberGenerator()
        return next(using: &random)
    }

    /// Records a failure.
    ///
    /// - Returns: the pause before the next attempt.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        failures += 1
        return pause(after: failures, using: &random)
    }

    /// Records a success.
    package mutating func reset() {
        failures = 0
    }

    /// The pause after a number of failures in a row: between the whole and the half of the doubled first one.
    package func pause(after failures: Int) -> Duration {
        var random = SystemRandomNumberGenerator()
        return pause(after: failures, using: &random)
    }

    /// The pause after a number of failures in a row, with the jitter of a generator.
    package func pause(after failures: Int, using random: inout some RandomNumberGenerator) -> Duration {
        min(first * (1 << min(max(failures, 1) - 1, 30)), longest) * Double.random(in: 0.5...1, using: &random)
    }
}
