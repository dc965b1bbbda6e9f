import Contracts
import Testing
import Tracing

@testable import ServiceKit

/// Spans that are made when they are needed.
struct LateSpanTests {
    private struct Request: LateSpan {
        var traceID = TraceID.random()
        var isSampled = false
        var isError = false
        var isRefusal = false
        var kindName = "GET /stations"
        var duration: UInt64 = 1_000_000
        var peer: String? = "seats"

        var head: FinishedSpan {
            FinishedSpan(
                context: TraceContext(traceID: traceID, spanID: .random(), sampled: isSampled),
                parent: nil,
                name: kindName,
                kind: .server,
                start: 0,
                end: duration,
                attributes: [:]
            )
        }

        func forEachAttribute(_ body: (String, SpanAttribute) -> Void) { body("http.route", .string(kindName)) }
    }

    private let recorder = SpanRecorder()
    private let store = SpanQueue(limit: 1000, batchSize: 1)
    private let record: @Sendable ([Request]) -> Void

    init() {
        recorder.store(in: store, share: 0)
        record = recorder.recorder(of: Request.self)
    }

    private var traces: [TraceID] { store.take(.max).map { $0.head.context.traceID } }

    @Test func errors_refusals_andSampledOnes_areKept() {
        let kept = [Request(isSampled: true), Request(isError: true), Request(isRefusal: true)]
        record([Request()] + kept + [Request()])
        #expect(traces == kept.map(\.traceID))
    }

    @Test func slowOne_isKept() {
        record((0..<300).map { _ in Request(duration: 30_000_000) })
        _ = traces
        let slow = Request(duration: 900_000_000)
        record([Request(duration: 29_000_000), slow])
        #expect(traces == [slow.traceID])
    }

    /// It is stored once, whether it ended before or after the other process has kept its trace.
    @Test func oneThatAnotherProcessKeeps_isKept_once() {
        let (early, late) = (Request(), Request())
        record([early, Request()])
        #expect(traces == [])
        for _ in 0..<2 { recorder.keep([early.traceID, late.traceID]) }
        #expect(traces == [early.traceID])
        record([late])
        recorder.keep([late.traceID])
        #expect(traces == [late.traceID])
    }

    @Test func newestOnes_areHeld() {
        let all = (0..<10_000).map { _ in Request() }
        for first in stride(from: 0, to: all.count, by: 500) { record(Array(all[first..<(first + 500)])) }
        recorder.keep([all[0].traceID, all[9_999].traceID])
        #expect(traces == [all[9_999].traceID])
    }

    @Test func calls_areCountedByProgram() {
        record([Request(), Request(isError: true), Request(peer: nil)])
        let target = recorder.calls.take(of: "gateway")?.targets.first
        #expect(target?.name == "seats" && target?.calls == 2 && target?.failures == 1)
    }

    @Test func collector_getsThemAll() {
        let recorder = SpanRecorder()
        let export = SpanQueue(limit: 1000, batchSize: 1)
        recorder.export(to: export, .always)
        let record = recorder.recorder(of: Request.self)
        record([Request(), Request(isError: true)])
        let spans = export.take(.max)
        #expect(spans.count == 2)
        let json = String(decoding: OTLPTraces(resource: []).json(spans), as: UTF8.self)
        #expect(json.contains(#""attributes":[{"key":"http.route","value":{"stringValue":"GET /stations"}}]"#))
        #expect(spans.allSatisfy { $0.span.attributes.get("http.route") == .string("GET /stations") })
    }
}
