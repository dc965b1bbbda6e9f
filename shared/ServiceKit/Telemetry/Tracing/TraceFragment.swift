import Synchronization
import Tracing

/// The spans of one trace in this process below one span, which is that of a request, an event or a job.
final class TraceFragment: Sendable {
    private struct State {
        var spans: [FinishedSpan] = []
        var hasError = false
        /// Whether it is kept whatever happens.
        var isMarked = false
        var subjects: [TraceSubject: Set<String>] = [:]
        /// Whether the sample was asked for it, which counts what it takes.
        var isSampled: Bool?
        /// Where spans go that end after the first one.
        var destinations: [SpanQueue] = []
    }

    /// The maximum number of spans that wait for the end of the first one.
    private static let limit = 2000

    /// The maximum number of subjects of a kind.
    private static let mostSubjects = 16

    let traceID: TraceID
    /// Whether the trace is among the sample, for one that began as a job.
    private let sample: (@Sendable () -> Bool)?
    private let state = Mutex(State())

    /// - Parameter sample: For a trace that is sampled when something follows from it.
    init(_ traceID: TraceID, sample: (@Sendable () -> Bool)? = nil) {
        self.traceID = traceID
        self.sample = sample
    }

    /// Decides whether a trace of which something follows is kept, if that is still to be decided.
    func isSampledNow() -> Bool {
        guard let sample else { return false }
        return state.withLock { state in
            let isSampled = state.isSampled ?? sample()
            state.isSampled = isSampled
            if isSampled { state.isMarked = true }
            return isSampled
        }
    }

    /// Whether it is that of a job from which nothing has followed.
    var isUneventful: Bool { sample != nil && state.withLock { $0.isSampled == nil && !$0.hasError } }
    var hasError: Bool { state.withLock(\.hasError) }
    var isMarked: Bool { state.withLock(\.isMarked) }
    /// The number of spans that are held.
    var count: Int { state.withLock(\.spans.count) }

    /// What was noted, as attributes.
    var subjects: [(String, SpanAttribute)] {
        state.withLock(\.subjects).map { ($0.rawValue, .stringArray($1.sorted())) }
    }

    func note(_ subject: TraceSubject, _ id: String) {
        state.withLock { state in
            guard state.subjects[subject, default: []].count < Self.mostSubjects else { return }
            state.subjects[subject, default: []].insert(id)
        }
    }

    func mark() { state.withLock { $0.isMarked = true } }

    func add(_ span: FinishedSpan) {
        let (destinations, isLost) = state.withLock { state in
            let hasRoom = state.spans.count < Self.limit
            if hasRoom { state.spans.append(span) }
            if span.isError { state.hasError = true }
            return (state.destinations, !hasRoom && state.destinations.isEmpty)
        }
        if isLost { DroppedSpans.fragment.count(1) }
        for queue in destinations { queue.add(CollectionOfOne(span)) }
    }

    /// Passes on the spans, also those that end later.
    func export(to queue: SpanQueue) {
        let spans = state.withLock { state in
            state.destinations.append(queue)
            return state.spans
        }
        queue.add(spans)
    }

    /// Passes on the spans, also those that end later, and holds them no further.
    func store(in queue: SpanQueue) {
        export(to: queue)
        state.withLock { $0.spans = [] }
    }
}

extension ServiceContext {
    /// Where spans of the current task are recorded.
    var fragment: TraceFragment? {
        get { self[TraceFragmentKey.self] }
        set { self[TraceFragmentKey.self] = newValue }
    }
}

private enum TraceFragmentKey: ServiceContextKey {
    typealias Value = TraceFragment
}
