import NIOCore
import ServiceKit
import Testing

@testable import Gateway

struct RouteMeterTests {
    private let registry = MetricsRegistry()

    @Test func recordedRequest_isTheExampleOfItsTime() {
        var ids = RandomIDs()
        let trace = TraceIDs(ids: &ids)
        let meter = RouteMeter(nil, registry: registry)
        meter.record(status: 200, took: .milliseconds(30), of: trace.context, at: WallClock(at: 1_700_000_000))
        meter.record(status: 503, took: .milliseconds(40), of: nil, at: WallClock(at: 1_700_000_001))
        let lines = registry.exposition(.openMetrics).split(separator: "\n").map(String.init)
        let bucket = lines.first { $0.hasPrefix(#"gateway_request_seconds_bucket{app="-",route="unknown",le="0.05"}"#) }
        let example = ##" 2 # {trace_id="\##(trace.context.traceID)",span_id="\##(trace.text)"} 0.03 1700000000.0"##
        #expect(bucket?.hasSuffix(example) == true)
        #expect(lines.contains(#"gateway_requests_total{app="-",route="unknown",status="503"} 1"#))
        #expect(lines.filter { $0.contains("trace_id") }.count == 1)
    }
}
