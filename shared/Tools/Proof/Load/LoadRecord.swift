import Synchronization

/// What people did, until a window takes it.
final class LoadRecord: Sendable {
    private struct State {
        var acts: [ActKind: LoadWindow.Acts] = [:]
        /// Acts that wait for their answer, by a number of their own.
        var waiting: [Int: (kind: ActKind, due: Moment)] = [:]
        var last = 0
        /// How often the number of people has changed.
        var round = 0
        var begun: Moment
        /// When it changed last.
        var changed: Moment
    }

    private let thresholds: Thresholds
    private let clock: @Sendable () -> Moment
    private let state: Mutex<State>

    /// The statuses of refusals that say something of the system or of a lost session, and nothing of what was asked.
    private static let failures: Set<Int> = [401, 418, 419, 429]

    init(_ thresholds: Thresholds, clock: @escaping @Sendable () -> Moment) {
        (self.thresholds, self.clock) = (thresholds, clock)
        state = Mutex(State(begun: clock(), changed: clock()))
    }

    var now: Moment { clock() }

    /// Sends what was due, and notes its answer. What was due before the last change of the number of people is not noted.
    func perform(_ act: NextAct, due: Moment) async {
        let (number, round) = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = (act.kind, due)
            return (state.last, state.round)
        }
        let status = try? await act.status()
        let ended = clock()
        state.withLock { state in
            state.waiting[number] = nil
            // The end of a run cancels what waits.
            guard state.round == round, !Task.isCancelled else { return }
            note(act.kind, Self.milliseconds(from: due, to: ended), in: &state) { acts in
                guard let status, status < 500, !Self.failures.contains(status) else {
                    acts.errors += 1
                    return
                }
                if !(200..<300).contains(status) { acts.refused += 1 }
            }
        }
    }

    /// Notes what has come by itself. What was sent before the last change of the number of people is not noted: its receiver
    /// may not have been active.
    func arrived(_ kind: ActKind, sent: Moment) {
        let time = Self.milliseconds(from: sent, to: clock())
        state.withLock { state in
            if sent >= state.changed { note(kind, time, in: &state) { _ in } }
        }
    }

    private func note(
        _ kind: ActKind,
        _ milliseconds: Double,
        in state: inout State,
        _ outcome: (inout LoadWindow.Acts) -> Void
    ) {
        var acts = state.acts[kind] ?? LoadWindow.Acts()
        acts.latencies.add(milliseconds)
        if milliseconds > thresholds[kind].p99 { acts.late += 1 }
        outcome(&acts)
        state.acts[kind] = acts
    }

    /// What was noted since the last window.
    func window(of people: Int) -> LoadWindow {
        let now = clock()
        return state.withLock { state in
            var window = LoadWindow(begun: state.begun, ended: now, people: people, acts: state.acts)
            for (kind, due) in state.waiting.values
            where Self.milliseconds(from: due, to: now) > thresholds[kind].p99 {
                window.acts[kind, default: LoadWindow.Acts()].waiting += 1
            }
            (state.acts, state.begun) = ([:], now)
            return window
        }
    }

    /// The number of people changes.
    func change() {
        state.withLock { state in
            state.round += 1
            state.changed = clock()
            state.waiting = [:]
        }
    }

    private static func milliseconds(from start: Moment, to end: Moment) -> Double {
        Double(end.microseconds - start.microseconds) / 1000
    }
}
