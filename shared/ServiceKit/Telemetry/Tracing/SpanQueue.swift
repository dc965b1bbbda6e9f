import DequeModule
import Synchronization

/// Finished spans that wait to be exported. When it is full, spans are dropped and counted.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: Deque<FinishedSpan> = []
        var dropped = 0
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

    /// The number of spans that were dropped since the start.
    package var dropped: Int { state.withLock(\.dropped) }
    package var count: Int { state.withLock(\.spans.count) }

    package func add(_ spans: some Collection<FinishedSpan>) {
        guard !spans.isEmpty else { return }
        let isBatch = state.withLock { state in
            let room = max(limit - state.spans.count, 0)
            state.spans.append(contentsOf: spans.prefix(room))
            state.dropped += max(spans.count - room, 0)
            return state.spans.count >= batchSize
        }
        if isBatch { arrival.wake() }
    }

    /// Records spans that could not be delivered.
    func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    /// Takes back spans that were not delivered.
    func putBack(_ spans: [FinishedSpan]) { state.withLock { $0.spans.prepend(contentsOf: spans) } }

    /// The oldest spans.
    package func take(_ limit: Int) -> [FinishedSpan] {
        state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    /// Returns when there is a batch, after the time, or when the task is cancelled.
    package func wait(atMost time: Duration) async { await arrival.sleep(atMost: time) }
}
