import DequeModule
import Synchronization

/// Finished spans that wait to be exported. When it is full, spans are dropped and counted.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: Deque<any ExportableSpan> = []
    }

    private let limit: Int
    private let batchSize: Int
    private let state = Mutex(State())
    private let arrival = AsyncSignal()

    /// - Parameters:
    ///   - limit: The maximum number of spans that wait.
    ///   - batchSize: The number of spans that ends `wait`.
    package init(limit: Int, batchSize: Int) {
        self.limit = limit
        self.batchSize = min(batchSize, limit)
    }

    package var count: Int { state.withLock(\.spans.count) }

    package func add<Spans: Collection>(_ spans: Spans) where Spans.Element: ExportableSpan {
        guard !spans.isEmpty else { return }
        let (isBatch, dropped) = state.withLock { state in
            let room = max(limit - state.spans.count, 0)
            for span in spans.prefix(room) { state.spans.append(span) }
            return (state.spans.count >= batchSize, max(spans.count - room, 0))
        }
        DroppedSpans.queue.count(dropped)
        if isBatch { arrival.wake() }
    }

    /// Takes back spans that were not delivered.
    func putBack(_ spans: [any ExportableSpan]) { state.withLock { $0.spans.prepend(contentsOf: spans) } }

    /// The oldest spans.
    package func take(_ limit: Int) -> [any ExportableSpan] {
        state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    /// Returns when there is a batch, after the time, or when the task is cancelled.
    package func wait(atMost time: Duration) async { await arrival.sleep(atMost: time) }
}
