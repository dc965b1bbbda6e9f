import CoreMetrics
import FoundationEssentials
import Testing
import Tracing

@testable import ServiceKit

@Suite struct MetricsRegistryTests {
    @Test func exposition_writesEveryMetricKind() {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "requests_total", dimensions: [("route", "GET /a\"b\\"), ("status", "200")])
            .increment(by: 3)
        registry.makeCounter(label: "lines", dimensions: [("text", "one\r\ntwo")]).increment(by: 1)
        registry.makeMeter(label: "open.connections", dimensions: []).set(7.5)
        let timer = registry.makeTimer(label: "request_seconds", dimensions: [])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(20_000_000_000)

        let lines = registry.exposition().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE requests_total counter"))
        #expect(lines.contains(#"requests_total{route="GET /a\"b\\",status="200"} 3"#))
        #expect(lines.contains("lines{text=\"one\r\\ntwo\"} 1"))
        #expect(lines.contains("# TYPE open_connections gauge"))
        #expect(lines.contains("open_connections 7.5"))
        #expect(lines.contains(#"request_seconds_bucket{le="0.001"} 0"#))
        #expect(lines.contains(#"request_seconds_bucket{le="0.0025"} 1"#))
        #expect(lines.contains(#"request_seconds_bucket{le="10.0"} 1"#))
        #expect(lines.contains(#"request_seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.contains("request_seconds_count 2"))
        #expect(lines.contains("request_seconds_sum 20.002"))
    }

    @Test func openMetrics_hasFamilies_exemplarsAndAnEnd() throws {
        let (registry, spans) = (MetricsRegistry(), SpanRecorder())
        spans.export(to: SpanQueue(limit: 1, batchSize: 1), .always)
        registry.makeCounter(label: "http_requests_total", dimensions: []).increment(by: 3)
        registry.makeCounter(label: "hits", dimensions: []).increment(by: 2)
        let timer = registry.makeTimer(label: "http_request_seconds", dimensions: [])
        let span = spans.startSpan("request", context: .topLevel)
        ServiceContext.withValue(span.context) { timer.recordNanoseconds(30_000_000) }
        let trace = try #require(span.context.trace)

        let lines = registry.exposition(.openMetrics).split(separator: "\n").map(String.init)
        #expect(lines.contains("# HELP http_requests Requests by route and status."))
        #expect(lines.contains("# TYPE http_requests counter") && lines.contains("http_requests_total 3"))
        #expect(lines.contains("# TYPE hits counter") && lines.contains("hits_total 2"))
        let bucket = try #require(lines.first { $0.hasPrefix(#"http_request_seconds_bucket{le="0.05"}"#) })
        #expect(bucket.contains(##" 1 # {trace_id="\##(trace.traceID)",span_id="\##(trace.spanID)"} 0.03 "##))
        #expect(lines.last == "# EOF")
        #expect(!registry.exposition().contains("trace_id"))
    }

    @Test func process_isMeasured() throws {
        let lines = MetricsRegistry().exposition().split(separator: "\n")
        func value(_ name: String) throws -> Double {
            try #require(lines.first { $0.hasPrefix("\(name) ") }.flatMap { Double($0.dropFirst(name.count + 1)) })
        }
        #expect(try value("process_resident_memory_bytes") > 1_000_000)
        #expect(try value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"))
        #expect(try value("process_cpu_seconds_total") >= 0)
        #expect(try value("process_open_fds") >= 3 && value("process_max_fds") >= value("process_open_fds"))
        #expect(try value("process_threads") >= 1)
        let age = try Date.now.timeIntervalSince1970 - value("process_start_time_seconds")
        #expect((-2...86_400).contains(age))
    }

    @Test func concurrentIncrements_areAllCounted() async {
        let registry = MetricsRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { registry.makeCounter(label: "hits", dimensions: [("a", "b")]).increment(by: 1) }
                }
            }
        }
        #expect(registry.exposition().contains(#"hits{a="b"} 8000"#))
    }
}
