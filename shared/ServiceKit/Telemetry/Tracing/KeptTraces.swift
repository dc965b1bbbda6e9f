import DequeModule
import Synchronization

/// The traces that were kept last, by any process.
final class KeptTraces: Sendable {
    private struct State {
        var traces: Set<TraceID> = []
        var order: Deque<TraceID> = []
    }

    private static let limit = 16_384

    private let state = Mutex(State())

    func contains(_ trace: TraceID) -> Bool { state.withLock { $0.traces.contains(trace) } }

    func insert(_ traces: [TraceID]) {
        state.withLock { state in
            for trace in traces where state.traces.insert(trace).inserted {
                state.order.append(trace)
                if state.order.count > Self.limit { state.traces.remove(state.order.removeFirst()) }
            }
        }
    }
}
