import DequeModule
import Synchronization

/// Fragments that no process has kept yet, the newest of them.
final class HeldFragments: Sendable {
    private struct State {
        var byTrace: [TraceID: [TraceFragment]] = [:]
        var order: Deque<(fragment: TraceFragment, size: Int)> = []
        var count = 0
    }

    /// The maximum number of spans.
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ fragment: TraceFragment) {
        let size = max(fragment.count, 1)
        state.withLock { state in
            state.byTrace[fragment.traceID, default: []].append(fragment)
            state.order.append((fragment, size))
            state.count += size
            while state.count > limit, let (oldest, size) = state.order.popFirst() {
                state.count -= size
                state.byTrace[oldest.traceID]?.removeAll { $0 === oldest }
                if state.byTrace[oldest.traceID]?.isEmpty == true { state.byTrace[oldest.traceID] = nil }
            }
        }
    }

    /// Removes the fragments of a trace.
    func take(_ trace: TraceID) -> [TraceFragment] {
        state.withLock { $0.byTrace.removeValue(forKey: trace) ?? [] }
    }
}
