import Synchronization

/// The names of events that a subscriber has just refused as not subscribed to. Until a pause is over, further events
/// of these names are postponed without a request.
final class HeldNames: Sendable {
    private let ends = Mutex<[String: ContinuousClock.Instant]>([:])

    func hold(_ name: String, for pause: Duration, now: ContinuousClock.Instant = .now) {
        ends.withLock { $0[name] = now + pause }
    }

    func isHeld(_ name: String, now: ContinuousClock.Instant = .now) -> Bool {
        ends.withLock { ends in
            guard let end = ends[name] else { return false }
            if end <= now { ends[name] = nil }
            return end > now
        }
    }
}
