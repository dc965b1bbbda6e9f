import FoundationEssentials
import Testing
import Tracing

@testable import ServiceKit

/// The JSON encoding of OTLP.
struct OTLPTracesTests {
    private func span(_ change: (RecordedSpan) -> Void) throws -> FinishedSpan {
        let recorder = SpanRecorder()
        let queue = SpanQueue(limit: 10, batchSize: 1)
        recorder.export(to: queue, .always)
        let span = recorder.startSpan("GET /v1/chats", context: .topLevel, ofKind: .server)
        change(span)
        span.end()
        return try #require(queue.take(1).first?.span)
    }

    private func encoded(_ span: FinishedSpan) throws -> Encoded.Span {
        let json = OTLPTraces(resource: [("service.name", "chat")]).json([span])
        let document = try JSONDecoder().decode(Encoded.self, from: Data(json))
        let resource = try #require(document.resourceSpans.first)
        #expect(resource.resource.attributes.map(\.key) == ["service.name"])
        return try #require(resource.scopeSpans.first?.spans.first)
    }

    @Test func span_isEncoded() throws {
        var other = ServiceContext.topLevel
        other.trace = TraceContext()
        let finished = try span { span in
            span.updateAttributes { attributes in
                attributes["text"] = "a\"b\u{1}\u{1b}[31m<script>"
                attributes["number"] = -42
                attributes["share"] = 0.5
                attributes["flag"] = true
                attributes["list"] = SpanAttribute.stringArray(["a", "b"])
            }
            span.addLink(SpanLink(context: other, attributes: [:]))
            span.addEvent("sent")
            span.setStatus(SpanStatus(code: .error, message: "no"))
        }
        let encoded = try encoded(finished)
        #expect(encoded.traceId == "\(finished.context.traceID)" && encoded.spanId == "\(finished.context.spanID)")
        #expect(encoded.parentSpanId == nil)
        #expect(encoded.kind == 2 && encoded.status?.code == 2 && encoded.status?.message == "no")
        #expect(encoded.startTimeUnixNano == "\(finished.start)" && encoded.endTimeUnixNano == "\(finished.end)")
        let attributes = Dictionary(uniqueKeysWithValues: (encoded.attributes ?? []).map { ($0.key, $0.value) })
        #expect(attributes["text"]?.stringValue == "a\"b\u{1}\u{1b}[31m<script>")
        #expect(attributes["number"]?.intValue == "-42")
        #expect(attributes["share"]?.doubleValue == 0.5)
        #expect(attributes["flag"]?.boolValue == true)
        #expect(attributes["list"]?.arrayValue?.values.map(\.stringValue) == ["a", "b"])
        let linked = try #require(other.trace?.traceID)
        #expect(encoded.links?.map(\.traceId) == ["\(linked)"])
        #expect(encoded.events?.map(\.name) == ["sent"])
    }

    @Test func longTexts_areCut() throws {
        let long = String(repeating: "가", count: 350_000)
        let encoded = try encoded(
            span { span in
                span.operationName = long
                span.attributes["text"] = SpanAttribute.string(long)
            }
        )
        #expect(encoded.name == String(repeating: "가", count: 4096 / 3))
        #expect(encoded.attributes?.first?.value.stringValue == encoded.name)
    }

    @Test func lists_areBounded() throws {
        let encoded = try encoded(
            span { span in
                for _ in 0..<1000 {
                    span.addEvent("again")
                    var other = ServiceContext.topLevel
                    other.trace = TraceContext()
                    span.addLink(SpanLink(context: other, attributes: [:]))
                }
            }
        )
        #expect(encoded.events?.count == 128 && encoded.links?.count == 128)
    }

    private struct Encoded: Decodable {
        var resourceSpans: [ResourceSpans]

        struct ResourceSpans: Decodable {
            var resource: Resource
            var scopeSpans: [ScopeSpans]
        }

        struct Resource: Decodable { var attributes: [Attribute] }
        struct ScopeSpans: Decodable { var spans: [Span] }
        struct Attribute: Decodable {
            var key: String
            var value: Value
        }

        struct Value: Decodable {
            var stringValue: String?
            var intValue: String?
            var doubleValue: Double?
            var boolValue: Bool?
            var arrayValue: Values?
        }

        struct Values: Decodable { var values: [Value] }
        struct Link: Decodable { var traceId: String }
        struct Event: Decodable { var name: String }
        struct Status: Decodable {
            var code: Int
            var message: String?
        }

        struct Span: Decodable {
            var traceId: String
            var spanId: String
            var parentSpanId: String?
            var name: String
            var kind: Int
            var startTimeUnixNano: String
            var endTimeUnixNano: String
            var attributes: [Attribute]?
            var events: [Event]?
            var links: [Link]?
            var status: Status?
        }
    }
}
