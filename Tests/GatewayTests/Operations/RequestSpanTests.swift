import Contracts
import CoreMetrics
import NIOCore
import ServiceKit
import TestKit
import Testing
import Tracing

@testable import Gateway

/// The spans of requests.
@Suite(.timeLimit(.minutes(1)))
struct RequestSpanTests {
    private let log = SpanLog()
    private static let foreign = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private func eventually(_ name: String) async throws -> FinishedSpan {
        try await TestKit.eventually { log.spans.contains { $0.name == name } }
        return try log.span(name)
    }

    @Test func forwardedRequest_isTheParentOfTheServicesSpan() async throws {
        let seats = try await TestUpstream.answering()
        try await TestGateway.run([.seats: [seats]], configure: { $0.recorder = log.recorder }) { gateway in
            let token = try TestGateway.key.token()
            let answer = try #require(await gateway.call("/stations?name=secret", token: token))
            let span = try await eventually("GET /stations")
            let sent = try #require(seats.requests.last)["traceparent"].first
            #expect(sent == "00-\(span.context.traceID)-\(span.context.spanID)-00")
            #expect(answer["x-request-id"] == ["\(span.context.spanID)"])
            #expect(span.parent == nil && span.kind == .server && !span.isError && span.end >= span.start)
            #expect(span["http.response.status_code"] == "200" && span["madang.app"] == "seatcatcher")
            #expect(span["server.address"] == "127.0.0.1:\(seats.port)")
            var attributes: [String] = []
            span.attributes.forEach { attributes.append("\($0)=\($1)") }
            #expect(!attributes.joined().contains("secret"))
        }
    }

    @Test func phoneThatSendsATrace_isLinkedOnly() async throws {
        let seats = try await TestUpstream.answering()
        try await TestGateway.run([.seats: [seats]], configure: { $0.recorder = log.recorder }) { gateway in
            let token = try TestGateway.key.token()
            let header = "traceparent: \(Self.foreign)\r\n"
            _ = try await gateway.call("/stations", token: token, headers: header)
            let span = try await eventually("GET /stations")
            let foreign = try #require(TraceContext(header: Self.foreign))
            #expect(span.context.traceID != foreign.traceID && span.parent == nil)
            #expect(span.links.map(\.context.traceID) == [foreign.traceID])
            #expect(seats.requests.last?["traceparent"].first?.hasSuffix("-00") == true)
        }
    }

    @Test func trustedProxy_isContinued() async throws {
        let seats = try await TestUpstream.answering()
        let proxies = try #require(TrustedProxies(networks: ["127.0.0.1"], source: .forwarded))
        func configure(_ configuration: inout GatewayConfiguration) {
            configuration.recorder = log.recorder
            configuration.proxies = proxies
        }
        try await TestGateway.run([.seats: [seats]], configure: configure) { gateway in
            let token = try TestGateway.key.token()
            let header = "traceparent: \(Self.foreign)\r\n"
            _ = try await gateway.call("/stations", token: token, headers: header)
            let span = try await eventually("GET /stations")
            let foreign = try #require(TraceContext(header: Self.foreign))
            #expect(span.context.traceID == foreign.traceID && span.parent == foreign.spanID && span.links.isEmpty)
        }
    }

    @Test func refusedRequest_andUnreachableService_haveSpans() async throws {
        try await TestGateway.run(absent: [.seats: 9], configure: { $0.recorder = log.recorder }) { gateway in
            _ = try await gateway.call("/stations")
            let refused = try await eventually("GET /stations")
            #expect(refused["http.response.status_code"] == "401" && !refused.isError)
            _ = try await gateway.call("/nothing-here")
            #expect(try await eventually("GET unknown")["http.response.status_code"] == "404")
        }
    }

    @Test func requestsBeyondTheLimit_areCounted() {
        let registry = MetricsRegistry()
        var ids = RandomIDs()
        let request = RequestSpan(
            ids: TraceIDs(ids: &ids),
            method: "GET",
            route: "/stations",
            status: 200,
            bytesIn: 0,
            bytesOut: 0,
            took: .zero
        )
        withMetricsFactory(registry) { RequestSpans(log.recorder, limit: 0).add([request, request]) }
        #expect(registry.exposition().contains(#"trace_spans_dropped_total{reason="gateway"} 2"#))
        #expect(log.spans.isEmpty)
    }
}
