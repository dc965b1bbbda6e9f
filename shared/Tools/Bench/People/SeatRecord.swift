import Synchronization

/// The changes of a car's seats, one after the other, and what each phone shows of them. A phone that shows a later
/// change has all that were before it, since each message is a whole seat map.
///
/// A state repeats after as many changes as there are states; a phone that is further behind is taken for a newer one.
final class SeatRecord: Sendable {
    private struct Change {
        let begun = ContinuousClock.now
        /// nil before an answer.
        var acknowledged: ContinuousClock.Instant?
        /// The times at which each phone has shown it or a later one.
        var shown: [ContinuousClock.Instant?]
    }

    private struct State {
        var changes: [Change] = []
        /// The first change of the phase.
        var first = 0
        /// The number of changes that each phone shows.
        var phones: [Int?]
    }

    private let states: Int
    private let state: Mutex<State>

    /// - Parameter states: The number of states that follow each other; before the first change the car is in state 0.
    init(phones: Int, states: Int) {
        self.states = states
        state = Mutex(State(phones: Array(repeating: nil, count: phones)))
    }

    /// Begins a phase, whose changes count for the longest times.
    func begin() { state.withLock { $0.first = $0.changes.count } }

    func changeBegun() {
        state.withLock { $0.changes.append(Change(shown: Array(repeating: nil, count: $0.phones.count))) }
    }

    func changeAcknowledged() {
        state.withLock { $0.changes[$0.changes.count - 1].acknowledged = .now }
    }

    /// Whether no change is under way.
    var isQuiet: Bool { state.withLock { $0.changes.last.map { $0.acknowledged != nil } ?? true } }

    /// - Parameter shown: The state that a phone shows; nil if it is none of them.
    func shows(_ shown: Int?, phone: Int) {
        state.withLock { state in
            let last = state.changes.count
            state.phones[phone] = shown.flatMap { shown in (0...last).last { $0 % states == shown } }
            for change in (0..<(state.phones[phone] ?? 0)).reversed() {
                guard state.changes[change].shown[phone] == nil else { break }
                state.changes[change].shown[phone] = .now
            }
        }
    }

    /// The changes of the phase.
    var count: Int { state.withLock { $0.changes.count - $0.first } }

    /// The phones that do not show the last change, in words. No change may be under way.
    var outdated: [String] {
        state.withLock { state in
            state.phones.indices.filter { state.phones[$0] != state.changes.count }.map { phone in
                let shown = state.phones[phone].map { "\($0)" } ?? "none"
                return "the phone at gateway \(phone + 1) shows change \(shown) of \(state.changes.count)"
            }
        }
    }

    /// Milliseconds from an acknowledgement to the last phone that shows the change or a later one.
    var slowestDelivery: Double {
        longest { change in
            guard let end = change.acknowledged else { return .zero }
            return (change.shown.compactMap(\.self).max() ?? end) - end
        }
    }

    /// Milliseconds from the first attempt to the acknowledgement.
    var slowestChange: Double {
        longest { change in (change.acknowledged ?? change.begun) - change.begun }
    }

    private func longest(_ time: (Change) -> Duration) -> Double {
        state.withLock { $0.changes[$0.first...].map(time).max() ?? .zero } / .milliseconds(1)
    }
}
