import Configuration
import CoreMetrics
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization
import TestKit
import Testing
import Tracing

@testable import ServiceKit

/// The export of spans to a collector, its bad days included.
@Suite(.timeLimit(.minutes(1))) struct SpanExporterTests {
    /// A collector that answers as a test says.
    private final class Collector: Sendable {
        let statuses: Mutex<[Int]>
        let bodies = Mutex<[String]>([])
        let headers = Mutex<[HTTPFields]>([])

        init(_ statuses: [Int] = []) {
            self.statuses = Mutex(statuses)
        }

        func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
            try await StubService.run(
                { router in
                    router.post("v1/traces") { request, _ in
                        let text = String(buffer: try await request.body.collect(upTo: 1 << 24))
                        self.headers.withLock { $0.append(request.headers) }
                        let status = self.statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
                        if status == 200 { self.bodies.withLock { $0.append(text) } }
                        return Response(status: .init(code: status))
                    }
                },
                body
            )
        }

        /// The number of spans that were accepted.
        var count: Int { bodies.withLock { $0.reduce(0) { $0 + $1.ranges(of: #""spanId":"#).count } } }
    }

    private func settings(_ url: String, _ change: (inout CollectorSettings) -> Void = { _ in }) throws
        -> CollectorSettings
    {
        let none = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: [:]))
        var settings = try Settings.read(from: none) { CollectorSettings("chat", &$0) }
        settings.url = "\(url)/v1/traces"
        settings.delay = .milliseconds(20)
        change(&settings)
        return settings
    }

    private func withExporter(
        _ settings: CollectorSettings,
        _ body: (SpanRecorder) async throws -> Void
    ) async throws {
        let recorder = SpanRecorder()
        let exporter = try #require(SpanExporter(settings, of: recorder, logger: .quiet))
        let services = ServiceGroup(configuration: .init(services: [.init(service: exporter)], logger: .quiet))
        try await withThrowingTaskGroup { group in
            group.addTask { try await services.run() }
            try await body(recorder)
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private func record(_ count: Int, _ recorder: SpanRecorder) {
        for number in 0..<count { recorder.startSpan("span \(number)", context: .topLevel, ofKind: .server).end() }
    }

    @Test func spans_areSentInBatches_withTheHeaders() async throws {
        let collector = Collector()
        try await collector.run { url in
            let settings = try self.settings(url) {
                $0.batchSize = 100
                $0.headers = [.init(name: "x-api-key", value: "k")]
            }
            try await withExporter(settings) { recorder in
                record(250, recorder)
                try await eventually { collector.count == 250 }
            }
        }
        #expect(collector.bodies.withLock(\.count) >= 3)
        let all = collector.headers.withLock { $0 }
        let headers = try #require(all.first)
        let fields = Dictionary(headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
        #expect(fields["content-type"] == "application/json" && fields["x-api-key"] == "k")
        #expect(fields["traceparent"] == nil)
    }

    @Test(arguments: [429, 502, 503, 504])
    func collectorThatIsAway_getsTheSpansLater(_ status: Int) async throws {
        let collector = Collector([status])
        try await collector.run { url in
            try await withExporter(settings(url)) { recorder in
                record(10, recorder)
                try await eventually { collector.count == 10 }
            }
        }
    }

    @Test func refusedSpans_areDropped_andOthersFollow() async throws {
        let (collector, registry) = (Collector([400]), MetricsRegistry())
        try await collector.run { url in
            try await withMetricsFactory(registry) {
                try await withExporter(settings(url) { $0.batchSize = 10 }) { recorder in
                    record(10, recorder)
                    try await eventually { collector.headers.withLock(\.count) == 1 }
                    record(5, recorder)
                    try await eventually { collector.count == 5 }
                }
            }
        }
        #expect(registry.exposition().contains(#"trace_spans_dropped_total{reason="queue"} 10"#))
        #expect(registry.exposition().contains(#"trace_spans_dropped_total{reason="fragment"} 0"#))
    }

    @Test func collectorThatStaysAway_costsSpans_notMemory() async throws {
        let registry = MetricsRegistry()
        let settings = try settings("http://127.0.0.1:9") {
            $0.queueSize = 100
            $0.batchSize = 100
            $0.delay = .seconds(3600)
        }
        try await withMetricsFactory(registry) {
            try await withExporter(settings) { recorder in record(10_000, recorder) }
        }
        let lines = registry.exposition().split(separator: "\n")
        let line = lines.first { $0.hasPrefix(#"trace_spans_dropped_total{reason="queue"}"#) }
        let count = try #require(line?.split(separator: " ").last.flatMap { Int($0) })
        // At most one batch is on its way.
        #expect((9800...9900).contains(count))
    }

    @Test func spansOfTheEnd_areSent() async throws {
        let collector = Collector()
        try await collector.run { url in
            try await withExporter(settings(url) { $0.delay = .seconds(3600) }) { recorder in record(3, recorder) }
        }
        #expect(collector.count == 3)
    }
}
