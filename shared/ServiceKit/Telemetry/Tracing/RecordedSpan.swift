import Synchronization
package import Tracing

/// A span that goes to its trace's fragment when it ends.
package final class RecordedSpan: Span {
    private struct State {
        var span: FinishedSpan
        var isEnded = false
    }

    /// The maximum number of events, and of links.
    private static let longestList = 128

    package let context: ServiceContext
    private let state: Mutex<State>
    /// nil if nothing is recorded.
    private let fragment: TraceFragment?
    private let recorder: SpanRecorder
    /// Whether it is the first span of its fragment.
    private let isFirst: Bool

    init(
        _ span: FinishedSpan,
        context: ServiceContext,
        fragment: TraceFragment?,
        isFirst: Bool,
        recorder: SpanRecorder
    ) {
        self.context = context
        self.state = Mutex(State(span: span))
        self.fragment = fragment
        self.isFirst = isFirst
        self.recorder = recorder
    }

    package var isRecording: Bool { fragment != nil && state.withLock { !$0.isEnded } }

    package var operationName: String {
        get { state.withLock(\.span.name) }
        set { change { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock(\.span.attributes) }
        set { change { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) {
        change { $0.status = status }
    }

    package func addEvent(_ event: SpanEvent) {
        change { if $0.events.count < Self.longestList { $0.events.append(event) } }
    }

    package func addLink(_ link: SpanLink) {
        guard let context = link.context.trace else { return }
        change { span in
            guard span.links.count < Self.longestList else { return }
            span.links.append(FinishedSpan.Link(context: context, attributes: link.attributes))
        }
    }

    /// The error's type is recorded, and not what it says, which may contain what a person has sent.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = "\(type(of: error))"
        let event = SpanEvent(name: "exception", at: instant(), attributes: attributes)
        change { span in
            if span.events.count < Self.longestList { span.events.append(event) }
            if span.status == nil { span.status = SpanStatus(code: .error) }
        }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let fragment else { return }
        let end = instant().nanosecondsSinceEpoch
        let span: FinishedSpan? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            state.span.end = max(end, state.span.start)
            return state.span
        }
        guard var span else { return }
        recorder.calls.add(span)
        guard isFirst else { return fragment.add(span) }
        for (name, ids) in fragment.subjects { span.attributes[name] = ids }
        fragment.add(span)
        recorder.ended(fragment, with: span)
    }

    /// Has all processes keep the trace.
    package func keep() { fragment?.mark() }

    private func change(_ change: (inout FinishedSpan) -> Void) {
        guard fragment != nil else { return }
        state.withLock { if !$0.isEnded { change(&$0.span) } }
    }
}
