/// The time of the next known retry, so that the table need not be polled.
///
/// It is a hint: retries scheduled by other relays, and all but the earliest of this one, are found by the next sweep.
struct Retry: Sendable {
    private var next: ContinuousClock.Instant?

    /// Records a retry.
    mutating func expect(at due: ContinuousClock.Instant) {
        next = min(next ?? due, due)
    }

    /// Clears a time that has passed, before the table is read.
    mutating func forgetPast(_ now: ContinuousClock.Instant) {
        if let due = next, due <= now { next = nil }
    }

    /// The time until the next retry; nil if none is expected.
    func wait(from now: ContinuousClock.Instant) -> Duration? {
        next.map { max(.zero, now.duration(to: $0)) }
    }
}
