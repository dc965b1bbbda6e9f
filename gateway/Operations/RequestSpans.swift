import NIOPosix
import ServiceKit
import Synchronization

/// Hands requests that have ended to the recorder on another thread, so that the event loops only collect what they know.
final class RequestSpans: Sendable {
    private let recorder: SpanRecorder
    private let record: @Sendable ([RequestSpan]) -> Void
    private let waiting = Atomic(0)

    /// The maximum number of requests that wait for the thread.
    private let limit: Int

    init(_ recorder: SpanRecorder, limit: Int = 65_536) {
        self.recorder = recorder
        record = recorder.recorder(of: RequestSpan.self)
        self.limit = limit
    }

    /// Whether a new trace is kept whatever happens.
    func samples(_ trace: TraceID) -> Bool { recorder.samples(trace) }

    func add(_ requests: [RequestSpan]) {
        guard waiting.load(ordering: .relaxed) < limit else {
            return DroppedSpans.gateway.count(requests.count)
        }
        waiting.wrappingAdd(requests.count, ordering: .relaxed)
        NIOThreadPool.singleton.submit { [self] _ in
            record(requests)
            waiting.wrappingSubtract(requests.count, ordering: .relaxed)
        }
    }
}
