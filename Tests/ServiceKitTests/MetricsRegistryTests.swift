import CoreMetrics
import ServiceKit
import Testing

@Suite struct MetricsRegistryTests {
    @Test func exposition_writesEveryMetricKind() {
        let registry = MetricsRegistry()
        registry.makeCounter(label: "requests_total", dimensions: [("route", "GET /a\"b\\"), ("status", "200")])
            .increment(by: 3)
        registry.makeMeter(label: "open.connections", dimensions: []).set(7.5)
        let timer = registry.makeTimer(label: "request_seconds", dimensions: [])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(20_000_000_000)

        let lines = registry.exposition().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE requests_total counter"))
        #expect(lines.contains(#"requests_total{route="GET /a\"b\\",status="200"} 3"#))
        #expect(lines.contains("# TYPE open_connections gauge"))
        #expect(lines.contains("open_connections 7.5"))
        #expect(lines.contains(#"request_seconds_bucket{le="0.001"} 0"#))
        #expect(lines.contains(#"request_seconds_bucket{le="0.0025"} 1"#))
        #expect(lines.contains(#"request_seconds_bucket{le="10.0"} 1"#))
        #expect(lines.contains(#"request_seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.contains("request_seconds_count 2"))
        #expect(lines.contains("request_seconds_sum 20.002"))
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
