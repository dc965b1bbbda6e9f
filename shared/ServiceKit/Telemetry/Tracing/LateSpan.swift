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
    private let limit: Int
    private let spans = Mutex<Deque<Late>>([])

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ late: [Late]) {
        spans.withLock { spans in
            spans.append(contentsOf: late)
            if spans.count > limit { spans.removeFirst(spans.count - limit) }
        }
    }

    /// Removes those of some traces, which are few among many.
    func take(_ traces: Set<TraceID>) -> [Late] {
        spans.withLock { spans in
            let found = spans.filter { traces.contains($0.traceID) }
            if !found.isEmpty { spans.removeAll { traces.contains($0.traceID) } }
            return Array(found)
        }
    }
}
