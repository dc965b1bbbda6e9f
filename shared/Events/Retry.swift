import Synchronization

/// The time of the next known retry, so that the table need not be polled.
///
/// It is a hint: retries scheduled by other relays, and all but the earliest of this one, are found by the next sweep.
final class Retry: Sendable {
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// Records a retry that is due after a pause from now.
    func expect(in pause: Duration) {
        let due = ContinuousClock.now + pause
        next.withLock { $0 = min($0 ?? due, due) }
    }

    /// Clears a time that has passed, before the table is read.
    func forgetPast() {
        next.withLock { if let due = $0, due <= .now { $0 = nil } }
    }

    /// The time until the next retry; nil if none is expected.
    var wait: Duration? {
        next.withLock { $0.map { max(.zero, $0 - .now) } }
    }
}
