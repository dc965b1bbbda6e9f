import Contracts
import DequeModule
import ServiceKit
import Synchronization

/// The traces that were kept last, which all programs follow to keep their parts.
final class KeptTraces: Sendable {
    private struct State {
        /// The newest ones; the first of them has the number `first`.
        var traces: Deque<String> = []
        var first = 0
        var known: Set<String> = []
        var waiting: [Int: AsyncSignal] = [:]
        var nextWaiter = 0
    }

    /// The maximum number that is held.
    private static let limit = 16_384
    private static let wait = Duration.seconds(10)
    /// How long an answer waits for more traces, since each answer costs a request of every program.
    private static let gathering = Duration.milliseconds(250)

    /// Positions of another process mean nothing here.
    private let process = SpanID.random().description
    private let state = Mutex(State())

    /// The number of programs that wait for traces.
    var followers: Int { state.withLock(\.waiting.count) }

    /// Adds traces; those that are there already are left out.
    func insert(_ traces: some Sequence<String>) {
        let waiting = state.withLock { state in
            for trace in traces where state.known.insert(trace).inserted {
                state.traces.append(trace)
                guard state.traces.count > Self.limit else { continue }
                state.known.remove(state.traces.removeFirst())
                state.first += 1
            }
            return Array(state.waiting.values)
        }
        for signal in waiting { signal.wake() }
    }

    /// The traces that were kept after a position. Waits a while for the first one, and a moment for more.
    ///
    /// - Parameter position: nil, or that of another process, for the present end.
    func next(after position: String?) async -> ConsoleAPI.Kept {
        let end = ContinuousClock.now + Self.wait
        let signal = AsyncSignal()
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            state.waiting[state.nextWaiter] = signal
            return state.nextWaiter
        }
        defer { state.withLock { $0.waiting[waiter] = nil } }
        while true {
            let kept = traces(after: position)
            if !kept.traces.isEmpty || kept.position != position || .now >= end || Task.isCancelled { return kept }
            await signal.sleep(atMost: end - .now)
            try? await Task.sleep(for: Self.gathering)
        }
    }

    private func traces(after position: String?) -> ConsoleAPI.Kept {
        state.withLock { state in
            let last = state.first + state.traces.count
            let parts = (position ?? "").split(separator: "-")
            let number = parts.count == 2 && parts[0] == process ? Int(parts[1]) : nil
            let start = min(max(number ?? last, state.first), last)
            return ConsoleAPI.Kept(
                traces: Array(state.traces.dropFirst(start - state.first)),
                position: "\(process)-\(last)"
            )
        }
    }
}
