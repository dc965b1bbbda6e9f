import DequeModule
import Synchronization
import Tracing

/// What is known of a span that is made when it is needed, since most spans are compared, held for a while and
/// dropped. It encloses no other spans of this process, and begins a trace in it.
package protocol LateSpan: ExportableSpan {
    var traceID: TraceID { get }
    /// Whether all processes keep the trace.
    var isSampled: Bool { get }
    var isError: Bool { get }
    /// Whether it is that of a request that was answered with a status from 400 to 499.
    var isRefusal: Bool { get }
    /// Spans of the same kind take about as long.
    var kindName: String { get }
    /// In nanoseconds.
    var duration: UInt64 { get }
    /// The program that was called, if one was.
    var peer: String? { get }
}

extension LateSpan {
    package var span: FinishedSpan {
        var span = head
        forEachAttribute { span.attributes[$0] = $1 }
        return span
    }
}

/// Late spans of traces that no process has kept yet, the newest of them.
final class HeldSpans<Late: LateSpan>: Sendable {
    private struct State {
        /// nil once it has been taken.
        var spans: Deque<Late?> = []
        /// Of the span at the same index: they are compared without a copy of the spans, which are many.
        var traces: Deque<TraceID> = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ late: [Late]) {
        state.withLock { state in
            state.spans.append(contentsOf: late.lazy.map(Optional.some))
            state.traces.append(contentsOf: late.lazy.map(\.traceID))
            let surplus = state.spans.count - limit
            guard surplus > 0 else { return }
            state.spans.removeFirst(surplus)
            state.traces.removeFirst(surplus)
        }
    }

    /// Removes those of some traces, which are few among many.
    func take(_ traces: Set<TraceID>) -> [Late] {
        guard !traces.isEmpty else { return [] }
        return state.withLock { state in
            let found = state.traces.indices.filter { traces.contains(state.traces[$0]) }
            return found.compactMap { index in
                defer { state.spans[index] = nil }
                return state.spans[index]
            }
        }
    }
}
