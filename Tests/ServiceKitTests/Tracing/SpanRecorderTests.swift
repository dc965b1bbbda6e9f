import CoreMetrics
import Testing
import Tracing

@testable import ServiceKit

/// Which traces are kept.
struct SpanRecorderTests {
    private let recorder = SpanRecorder()
    private let store = SpanQueue(limit: 1000, batchSize: 1)

    init() {
        recorder.store(in: store, share: 0)
    }

    /// Records a span with one inside it.
    @discardableResult
    private func request(in context: ServiceContext = .topLevel, fails: Bool = false) -> RecordedSpan {
        let span = recorder.startSpan("request", context: context)
        let inner = recorder.startSpan("statement", context: span.context)
        if fails { inner.setStatus(SpanStatus(code: .error)) }
        inner.end()
        span.end()
        return span
    }

    private func parent(sampled: Bool) -> ServiceContext {
        var context = ServiceContext.topLevel
        context.trace = TraceContext()
        context.trace?.sampled = sampled
        return context
    }

    private var names: [String] { store.take(.max).map(\.name) }

    @Test func traceWithError_isKeptWhole() {
        request(in: parent(sampled: false), fails: true)
        #expect(names == ["statement", "request"])
        request(in: parent(sampled: false))
        #expect(names == [])
    }

    @Test func traceThatAnotherProcessKeeps_isKept_whatEndedBeforeAndWhatEndsLater() throws {
        let context = parent(sampled: false)
        let trace = try #require(context.trace?.traceID)
        request(in: context)
        request(in: parent(sampled: false))
        recorder.keep([trace])
        #expect(names == ["statement", "request"])
        request(in: context)
        #expect(names == ["statement", "request"])
    }

    @Test func sampledParent_andMark_keep() {
        request(in: parent(sampled: true))
        #expect(names.count == 2)
        let span = recorder.startSpan("payment", context: parent(sampled: false))
        span.keep()
        span.end()
        #expect(names == ["payment"])
    }

    @Test func spanThatEndsLater_followsItsTrace() {
        let span = recorder.startSpan("request", context: parent(sampled: true))
        let late = recorder.startSpan("push", context: span.context)
        span.end()
        late.end()
        #expect(names == ["request", "push"])
    }

    @Test func slowSpan_isKept() {
        let start = DefaultTracerClock.now.nanosecondsSinceEpoch
        func request(_ milliseconds: UInt64) {
            let context = parent(sampled: false)
            let span = recorder.startSpan("list", context: context, at: Instant(nanosecondsSinceEpoch: start))
            span.end(at: Instant(nanosecondsSinceEpoch: start + milliseconds * 1_000_000))
        }
        for _ in 0..<300 { request(30) }
        _ = names
        request(29)
        #expect(names == [])
        request(300)
        #expect(names == ["list"])
    }

    @Test func spansThatWait_areBounded() {
        let registry = MetricsRegistry()
        withMetricsFactory(registry) { for _ in 0..<20_000 { request(in: parent(sampled: true)) } }
        #expect(store.count == 1000)
        #expect(registry.exposition().contains(#"trace_spans_dropped_total{reason="queue"} 39000"#))
    }

    @Test func spansOfOneTrace_areBounded() {
        let registry = MetricsRegistry()
        withMetricsFactory(registry) {
            let request = recorder.startSpan("request", context: .topLevel)
            for _ in 0..<2003 { recorder.startSpan("statement", context: request.context).end() }
            #expect(registry.exposition().contains(#"trace_spans_dropped_total{reason="fragment"} 3"#))
        }
    }

    @Test func heldTraces_areTheNewest() throws {
        let contexts = (0..<10_000).map { _ in parent(sampled: false) }
        for context in contexts { request(in: context) }
        // Two spans for each trace.
        recorder.keep(contexts.suffix(100).compactMap(\.trace?.traceID))
        #expect(names.count == 200)
        recorder.keep(contexts.prefix(100).compactMap(\.trace?.traceID))
        #expect(names.count == 0)
    }

    @Test func endedSpan_doesNotChange() throws {
        let span = recorder.startSpan("request", context: parent(sampled: true))
        span.end()
        span.operationName = "other"
        span.attributes["late"] = true
        span.end()
        let stored = store.take(.max)
        #expect(stored.map(\.name) == ["request"])
        #expect(stored.first?.attributes.isEmpty == true)
        #expect(!span.isRecording)
    }

    @Test func withoutDestination_onlyIDsAreMade() {
        let recorder = SpanRecorder()
        let span = recorder.startSpan("request", context: .topLevel)
        #expect(span.context.trace != nil)
        #expect(!span.isRecording)
    }

    private struct Instant: TracerInstant {
        var nanosecondsSinceEpoch: UInt64

        static func < (one: Instant, other: Instant) -> Bool { one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch }
    }
}
