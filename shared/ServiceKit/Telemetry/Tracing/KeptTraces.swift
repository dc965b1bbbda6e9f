import DequeModule
import Synchronization

/// The traces that were kept last, by any process.
final class KeptTraces: Sendable {
    private struct State {
        var traces: Set<TraceID> = []
        var order: Deque<TraceID> = []
        var count = 0
    }

    private static let limit = 16_384

    private let state = Mutex(State())

    /// How many there have been.
    var count: Int { state.withLock(\.count) }

    func contains(_ trace: TraceID) -> Bool { state.withLock { $0.traces.contains(trace) } }

    func insert(_ traces: [TraceID]) {
        state.withLock { state in
            for trace in traces where state.traces.insert(trace).inserted {
                state.order.append(trace)
                state.count += 1
                if state.order.count > Self.limit { state.traces.remove(state.order.removeFirst()) }
            }
        }
    }
}
