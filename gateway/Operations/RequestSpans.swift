import NIOPosix
import ServiceKit
import Synchronization

/// Makes spans of requests on another thread, so that the event loops only collect what they know.
final class RequestSpans: Sendable {
    private let recorder: SpanRecorder
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

    /// The maximum number of requests that wait for the thread.
    private static let limit = 65_536

    init(_ recorder: SpanRecorder) {
        self.recorder = recorder
    }

    /// The number of requests without a span since the start.
    var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Whether a new trace is kept whatever happens.
    func samples(_ trace: TraceID) -> Bool { recorder.samples(trace) }

    func add(_ requests: [RequestSpan]) {
        guard waiting.load(ordering: .relaxed) < Self.limit else {
            dropped.wrappingAdd(requests.count, ordering: .relaxed)
            return
        }
        waiting.wrappingAdd(requests.count, ordering: .relaxed)
        NIOThreadPool.singleton.submit { [self] _ in
            recorder.record(requests.map(FinishedSpan.init))
            waiting.wrappingSubtract(requests.count, ordering: .relaxed)
        }
    }
}
