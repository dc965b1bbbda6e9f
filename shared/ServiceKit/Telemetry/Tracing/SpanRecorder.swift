import Synchronization
package import Tracing

/// Records the spans of the process. Which traces are kept is decided when the spans of a request, event or job have
/// ended: those with an error, those that took longer than nearly all of their name, those that were marked, a sample of
/// the rest, and those that another process keeps. The spans of the others are held for a while, since other processes may
/// decide later.
package final class SpanRecorder: Tracer {
    package typealias Span = RecordedSpan

    /// The recorder that `Telemetry.bootstrap` installs.
    package static let shared = SpanRecorder()

    private struct Destinations {
        /// For a collector, which gets the traces that the sampler takes.
        var export: (queue: SpanQueue, sampler: ExportSampler)?
        /// For the traces that are kept.
        var store: (queue: SpanQueue, sample: KeepBudget)?
    }

    private let destinations = Mutex(Destinations())
    private let held = HeldFragments(limit: 8192)
    /// Take late spans that are held, by their traces.
    private let lateSpans = Mutex<[@Sendable (Set<TraceID>) -> [FinishedSpan]]>([])
    private let keptTraces = KeptTraces()
    private let times = DurationQuantiles()
    private let anomalies = KeepBudget(share: 1, perSecond: 20)
    private let refusals = KeepBudget(share: 1, perSecond: 2)
    let calls = CallCounts()

    package init() {}

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordedSpan {
        var context = context()
        let parent = context.trace
        let isEventful = kind != .internal
        let trace = parent?.child ?? newTrace(isEventful)
        let known = context.fragment.flatMap { $0.traceID == trace.traceID ? $0 : nil }
        let fragment = known ?? (isRecording && !context.isUntraced ? newFragment(trace, parent, isEventful) : nil)
        context.trace = trace
        context.fragment = fragment
        let start = instant().nanosecondsSinceEpoch
        let span = FinishedSpan(
            context: trace,
            parent: parent?.spanID,
            name: operationName,
            kind: kind,
            start: start,
            end: start,
            attributes: [:]
        )
        return RecordedSpan(span, context: context, fragment: fragment, isFirst: known == nil, recorder: self)
    }

    /// Begins to record, for a collector.
    package func export(to queue: SpanQueue, _ sampler: ExportSampler) {
        destinations.withLock { $0.export = (queue, sampler) }
    }

    /// Begins to record, and to keep traces.
    ///
    /// - Parameter share: The share of traces that are kept though nothing is remarkable about them.
    package func store(in queue: SpanQueue, share: Double) {
        destinations.withLock { $0.store = (queue, KeepBudget(share: share, perSecond: 100)) }
    }

    /// Whether a new trace is kept whatever happens, which is decided where it begins.
    package func samples(_ trace: TraceID) -> Bool {
        destinations.withLock { $0.store?.sample }?.admits(trace) ?? false
    }

    /// - Parameter isEventful: Whether it begins with something that is received or sent. A job, which nearly always finds
    ///   nothing to do, is among the sample when something follows from it.
    private func newTrace(_ isEventful: Bool) -> TraceContext {
        var trace = TraceContext()
        if isEventful { trace.sampled = samples(trace.traceID) }
        return trace
    }

    private func newFragment(_ trace: TraceContext, _ parent: TraceContext?, _ isEventful: Bool) -> TraceFragment {
        guard parent == nil, !isEventful else { return TraceFragment(trace.traceID) }
        return TraceFragment(trace.traceID) { [weak self] in self?.samples(trace.traceID) ?? false }
    }

    private var isRecording: Bool { destinations.withLock { $0.export != nil || $0.store != nil } }

    /// What takes late spans that have ended, several at a time.
    package func recorder<Late: LateSpan>(of type: Late.Type) -> @Sendable ([Late]) -> Void {
        let held = HeldSpans<Late>(limit: 8192)
        lateSpans.withLock { $0.append { traces in held.take(traces).map(\.span) } }
        return { [self] in record($0, held) }
    }

    private func record<Late: LateSpan>(_ spans: [Late], _ held: HeldSpans<Late>) {
        let destinations = destinations.withLock { $0 }
        if let (queue, sampler) = destinations.export {
            queue.add(spans.filter { sampler.takes($0.traceID) })
        }
        guard let store = destinations.store?.queue else { return }
        calls.add(spans)
        let known = keptTraces.count
        var (kept, rest): ([Late], [Late]) = ([], [])
        for span in spans {
            if isKept(span) { kept.append(span) } else { rest.append(span) }
        }
        held.add(rest)
        if keptTraces.count != known {
            // Another process has kept a trace meanwhile, whose spans were not held yet.
            kept += held.take(Set(rest.map(\.traceID).filter(keptTraces.contains)))
        }
        store.add(kept)
    }

    private func isKept(_ span: some LateSpan) -> Bool {
        let isSlow = times.record(span.duration, of: span.kindName)
        return span.isSampled || keptTraces.contains(span.traceID)
            || ((isSlow || span.isError) && anomalies.admits(span.traceID))
            || (span.isRefusal && refusals.admits(span.traceID))
    }

    /// Decides about a fragment whose first span has ended.
    func ended(_ fragment: TraceFragment, with span: FinishedSpan) {
        let destinations = destinations.withLock { $0 }
        if let (queue, sampler) = destinations.export, sampler.takes(fragment.traceID), !fragment.isUneventful {
            fragment.export(to: queue)
        }
        decide(about: fragment, endingWith: span, destinations)
    }

    private func decide(about fragment: TraceFragment, endingWith span: FinishedSpan, _ destinations: Destinations) {
        guard let store = destinations.store?.queue else { return }
        let isSlow = times.record(span.end - span.start, of: span.name)
        let isKnown = span.context.sampled || fragment.isMarked || keptTraces.contains(fragment.traceID)
        if isKnown || ((isSlow || fragment.hasError) && anomalies.admits(fragment.traceID))
            || (span.isRefusal && refusals.admits(fragment.traceID))
        {
            fragment.store(in: store)
        } else {
            held.add(fragment)
        }
    }

    /// Keeps traces that another process keeps: the spans that are held, and those that end later.
    package func keep(_ traces: [TraceID]) {
        keptTraces.insert(traces)
        guard let store = destinations.withLock(\.store)?.queue else { return }
        for trace in traces { for fragment in held.take(trace) { fragment.store(in: store) } }
        let known = Set(traces)
        for take in lateSpans.withLock({ $0 }) { store.add(take(known)) }
    }

    package func forceFlush() {}
    package func activeSpan(identifiedBy context: ServiceContext) -> RecordedSpan? { nil }

    // MARK: Between processes

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let header = extractor.extract(key: TraceContext.header, from: carrier) else { return }
        context.trace = TraceContext(header: header) ?? context.trace
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.handedOnTrace else { return }
        injector.inject(trace.headerValue, forKey: TraceContext.header, into: &carrier)
    }
}
