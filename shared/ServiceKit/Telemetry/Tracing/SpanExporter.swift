import AsyncHTTPClient
package import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Values

/// Sends the spans of a process to a collector by OTLP over HTTP. While the collector is away the queue fills, and spans
/// that find no room are dropped and counted. A request is repeated after 429, 502, 503, 504 and without a response (OTLP,
/// "Failures").
package struct SpanExporter: Service {
    private let settings: CollectorSettings
    private let url: String
    private let queue: SpanQueue
    private let traces: OTLPTraces
    private let logger: Logger
    private let exported = Counter(label: "trace_spans_exported_total")

    /// - Returns: nil if no collector is configured.
    package init?(_ settings: CollectorSettings, of recorder: SpanRecorder, logger: Logger) {
        guard let url = settings.url else { return nil }
        self.url = url
        self.settings = settings
        self.logger = logger
        queue = SpanQueue(limit: settings.queueSize, batchSize: settings.batchSize)
        traces = OTLPTraces(resource: settings.resource.map { ($0.name, $0.value) })
        DroppedSpans.begin()
        recorder.export(to: queue, settings.sampler)
    }

    /// Exports until shutdown, and then what is left.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await queue.wait(atMost: settings.delay)
                await exportAll()
            }
        }
        try? await withTimeout(.seconds(2)) { await exportAll() }
    }

    private func exportAll() async {
        repeat {
            let spans = queue.take(settings.batchSize)
            guard !spans.isEmpty else { break }
            await export(spans)
        } while !Task.isCancelled
    }

    private enum Outcome {
        case accepted, refused(String), unavailable(String)
    }

    private func export(_ spans: [FinishedSpan]) async {
        let body = ByteBuffer(bytes: traces.json(spans))
        var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
        var isReported = false
        while true {
            let reason: String
            switch await send(body) {
            case .accepted:
                return exported.increment(by: spans.count)
            case .refused(let status):
                logger.warning("traces: the collector refuses spans", metadata: ["reason": "\(status)"])
                return DroppedSpans.queue.count(spans.count)
            case .unavailable(let why):
                reason = why
            }
            if !isReported { logger.warning("traces: the collector is away", metadata: ["reason": "\(reason)"]) }
            isReported = true
            guard (try? await Task.sleep(for: backoff.next())) != nil else { return queue.putBack(spans) }
        }
    }

    private func send(_ body: ByteBuffer) async -> Outcome {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        for header in settings.headers { request.headers.add(name: header.name, value: header.value) }
        request.body = .bytes(body)
        do {
            let timeout = TimeAmount(settings.timeout)
            let response = try await HTTPClient.untraced.execute(request, timeout: timeout)
            let status = response.status.code
            _ = try? await response.body.collect(upTo: 1 << 20)
            switch status {
            case 200..<300: return .accepted
            case 429, 502, 503, 504: return .unavailable("status \(status)")
            default: return .refused("status \(status)")
            }
        } catch {
            return .unavailable("\(error)")
        }
    }
}
