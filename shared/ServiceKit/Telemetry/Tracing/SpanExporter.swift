import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import Values

/// Sends spans of a process to a collector, or to the console, by OTLP in JSON. While that is away the queue fills, and spans
/// that find no room are dropped and counted.
package struct SpanExporter: Service {
    package enum Outcome: Sendable {
        case accepted, refused(String)
        /// A request is repeated after that.
        case unavailable(String)
    }

    private let queue: SpanQueue
    private let destination: String
    private let delay: Duration
    private let batchSize: Int
    private let traces: OTLPTraces
    private let logger: Logger
    private let send: @Sendable (ByteBuffer) async -> Outcome
    private let exported: Counter

    /// - Parameters:
    ///   - destination: What it is called in logs and metrics.
    ///   - delay: The longest time that spans wait for others.
    ///   - batchSize: The maximum number of spans in a request.
    ///   - send: Sends an `ExportTraceServiceRequest`.
    init(
        _ queue: SpanQueue,
        to destination: String,
        delay: Duration,
        batchSize: Int,
        _ traces: OTLPTraces,
        _ logger: Logger,
        send: @escaping @Sendable (ByteBuffer) async -> Outcome
    ) {
        (self.queue, self.destination, self.delay, self.batchSize) = (queue, destination, delay, batchSize)
        (self.traces, self.logger, self.send) = (traces, logger, send)
        DroppedSpans.begin()
        exported = Counter(label: "trace_spans_exported_total", dimensions: [("destination", destination)])
    }

    /// Exports until shutdown, and then what is left.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await queue.wait(atMost: delay)
                await exportAll()
            }
        }
        try? await withTimeout(.seconds(2)) { await exportAll() }
    }

    private func exportAll() async {
        repeat {
            let spans = queue.take(batchSize)
            guard !spans.isEmpty else { break }
            await export(spans)
        } while !Task.isCancelled
    }

    private func export(_ spans: [any ExportableSpan]) async {
        let body = ByteBuffer(bytes: traces.json(spans))
        var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
        var isReported = false
        while true {
            let reason: String
            switch await send(body) {
            case .accepted:
                return exported.increment(by: spans.count)
            case .refused(let status):
                logger.warning("traces: the \(destination) refuses spans", metadata: ["reason": "\(status)"])
                return DroppedSpans.queue.count(spans.count)
            case .unavailable(let why):
                reason = why
            }
            if !isReported { logger.warning("traces: the \(destination) is away", metadata: ["reason": "\(reason)"]) }
            isReported = true
            guard (try? await Task.sleep(for: backoff.next())) != nil else { return queue.putBack(spans) }
        }
    }
}
