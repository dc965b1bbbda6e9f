import Synchronization

/// When the next of the deliveries that were put off is due, so that nobody need ask the table.
///
/// It is a hint: what another relay has put off, and all but the first of several, is found at the next sweep.
final class Retry: Sendable {
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// Something was put off for so long, just now.
    func expect(in pause: Duration) {
        let due = ContinuousClock.now + pause
        next.withLock { $0 = min($0 ?? due, due) }
    }

    /// Whoever is about to look at the table finds what was due.
    func forgetPast() {
        next.withLock { if let due = $0, due <= .now { $0 = nil } }
    }

    /// How long until then; nil when nothing is expected.
    var wait: Duration? {
        next.withLock { $0.map { max(.zero, $0 - .now) } }
    }
}
