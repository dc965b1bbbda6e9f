import FoundationEssentials
import Hummingbird
import NIOCore
import Synchronization
import TestKit
import Testing

/// The spans that a whole stack exports while people use it.
@Suite(.timeLimit(.minutes(10))) struct TracedStackTests {
    @Test func everyTrace_isOneTree_fromTheGatewayToThePhone() async throws {
        let collected = Mutex<[ExportedSpan]>([])
        try await StubService.run(
            { router in
                router.post("v1/traces") { request, _ in
                    let body = try await request.body.collect(upTo: 1 << 26)
                    let spans = try ExportedSpan.spans(in: Data(body.readableBytesView))
                    collected.withLock { $0 += spans }
                    return "{}"
                }
            },
            { url in
                try await StackFixture.run { fixture in
                    let variables = [
                        "OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "100",
                        "OTEL_BSP_MAX_QUEUE_SIZE": "100000",
                    ]
                    let up = try await fixture.run("up", variables: variables)
                    try #require(up.isSuccess, "\(up.text)")
                    let demo = try await fixture.run("demo", "anlaka", "seatcatcher")
                    #expect(demo.isSuccess, "\(demo.text)")
                    for _ in 0..<600 {
                        let spans = collected.withLock { $0 }
                        if !Self.pushes(of: "chat", in: spans).isEmpty, Self.incomplete(spans) == [] { break }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
            }
        )
        let spans = collected.withLock { $0 }
        #expect(Self.incomplete(spans) == [])
        // A comment that was written before the phone had registered may be pushed as well, if its event was late.
        #expect(!Self.pushes(of: "chat", in: spans).isEmpty)
        for push in spans where push.name == "push" {
            let root = spans.first { $0.trace == push.trace && $0.parent == nil }
            #expect(root?.service == "gateway", "\(spans.filter { $0.trace == push.trace })")
        }
        let frame = try #require(spans.first { $0.name == "STOMP SUBSCRIBE" && $0.service == "seats" })
        #expect(spans.contains { $0.parent == frame.id })
        // What phones get by sockets follows from the requests of others.
        for (name, service) in [("STOMP MESSAGE", "seats"), ("deliver room event", "chat")] {
            let deliveries = spans.filter { $0.name == name && $0.service == service }
            let roots = deliveries.compactMap { one in spans.first { $0.trace == one.trace && $0.parent == nil } }
            #expect(roots.contains { $0.service == "gateway" }, "\(name): \(deliveries)")
        }
    }

    /// The pushes in whose traces a service has spans.
    private static func pushes(of service: String, in spans: [ExportedSpan]) -> [ExportedSpan] {
        let traces = Set(spans.filter { $0.service == service }.map(\.trace))
        return spans.filter { $0.name == "push" && traces.contains($0.trace) }
    }

    /// Traces without a root or with several, and spans whose parents are missing.
    private static func incomplete(_ collected: [ExportedSpan]) -> [String] {
        // An exporter repeats a request of which it has missed the response.
        let spans = Dictionary(collected.map { ($0.id, $0) }) { first, _ in first }.values
        let ids = Set(spans.map(\.id))
        let orphans = spans.filter { span in span.parent.map { !ids.contains($0) } ?? false }
        let roots = Dictionary(grouping: spans, by: \.trace).filter { $0.value.count { $0.parent == nil } != 1 }
        return orphans.map { "\($0.service): \($0.name) has no parent" }
            + roots.values.map { "the trace of \($0[0].name) has another number of roots than one" }
    }
}

/// A span as a collector gets it.
private struct ExportedSpan: Sendable {
    var service: String
    var trace: String
    var id: String
    var parent: String?
    var name: String

    static func spans(in body: Data) throws -> [ExportedSpan] {
        try JSONDecoder().decode(Request.self, from: body).resourceSpans.flatMap { resource in
            let name = resource.resource.attributes.first { $0.key == "service.name" }?.value.stringValue ?? ""
            return resource.scopeSpans.flatMap(\.spans).map { span in
                ExportedSpan(
                    service: name,
                    trace: span.traceId,
                    id: span.spanId,
                    parent: span.parentSpanId,
                    name: span.name
                )
            }
        }
    }

    private struct Request: Decodable {
        var resourceSpans: [ResourceSpans]

        struct ResourceSpans: Decodable {
            var resource: Resource
            var scopeSpans: [ScopeSpans]
        }

        struct Resource: Decodable { var attributes: [Attribute] }
        struct Attribute: Decodable {
            var key: String
            var value: Value
        }

        struct Value: Decodable { var stringValue: String? }
        struct ScopeSpans: Decodable { var spans: [Span] }
        struct Span: Decodable {
            var traceId: String
            var spanId: String
            var parentSpanId: String?
            var name: String
        }
    }
}
