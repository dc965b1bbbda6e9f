import Contracts
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

    private var names: [String] { store.take(.max).map { $0.span.name } }

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

    // MARK: Jobs

    /// A run of a job, with what follows from it.
    private func job(_ recorder: SpanRecorder, _ body: (ServiceContext) -> Void = { _ in }) {
        let span = recorder.startSpan("job", context: .topLevel)
        let inner = recorder.startSpan("statement", context: span.context)
        body(inner.context)
        inner.end()
        span.end()
    }

    @Test func job_isSampledWhenSomethingFollowsFromIt() throws {
        let recorder = SpanRecorder()
        let export = SpanQueue(limit: 1000, batchSize: 1)
        recorder.store(in: store, share: 1)
        recorder.export(to: export, .always)
        job(recorder)
        #expect(names == [] && export.take(.max).isEmpty)
        var header: String?
        job(recorder) { context in
            header = ServiceContext.withValue(context) { TraceContext.handedOn }
        }
        #expect(try #require(header.flatMap { TraceContext(header: $0) }).sampled)
        #expect(names == ["statement", "job"] && export.take(.max).count == 2)
    }

    @Test func callOfJob_isKnownToTheCalledProgram() {
        let recorder = SpanRecorder()
        recorder.store(in: store, share: 1)
        var carrier: [String: String] = [:]
        job(recorder) { recorder.inject($0, into: &carrier, using: HeaderInjector()) }
        #expect(carrier[TraceContext.header]?.hasSuffix("-01") == true)
        #expect(names.count == 2)
    }

    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    }

    @Test func jobThatFails_isKept() {
        let span = recorder.startSpan("job", context: .topLevel)
        span.setStatus(SpanStatus(code: .error))
        span.end()
        #expect(names == ["job"])
    }

    // MARK: Statements

    @Test func statements_areCountedByName() throws {
        let start = DefaultTracerClock.now.nanosecondsSinceEpoch
        for milliseconds in [2, 5] as [UInt64] {
            let span = recorder.startSpan(
                "PushStore.first",
                context: .topLevel,
                ofKind: .client,
                at: Instant(nanosecondsSinceEpoch: start)
            )
            span.attributes["db.query.text"] = "SELECT 1"
            span.end(at: Instant(nanosecondsSinceEpoch: start + milliseconds * 1_000_000))
        }
        let counts = try #require(recorder.calls.take(of: "chat"))
        let statement = try #require(counts.statements?.first)
        #expect(statement.name == "PushStore.first" && statement.count == 2)
        #expect(statement.microseconds == 7000 && statement.longest == 5000)
        #expect(recorder.calls.take(of: "chat") == nil)
        recorder.calls.putBack(counts)
        recorder.calls.putBack(counts)
        #expect(recorder.calls.take(of: "chat")?.statements?.first?.count == 4)
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
        let stored = store.take(.max).map { $0.span }
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
