import AsyncHTTPClient
package import Logging
import NIOCore
import NIOHTTP1
import Values

extension SpanExporter {
    /// Exports to a collector by OTLP over HTTP. A request is repeated after 429, 502, 503, 504 and without a response
    /// (OTLP, "Failures").
    ///
    /// - Returns: nil if no collector is configured.
    package init?(_ settings: CollectorSettings, of recorder: SpanRecorder, logger: Logger) {
        guard let url = settings.url else { return nil }
        let queue = SpanQueue(limit: settings.queueSize, batchSize: settings.batchSize)
        self.init(
            queue,
            to: "collector",
            delay: settings.delay,
            batchSize: settings.batchSize,
            OTLPTraces(resource: settings.resource.map { ($0.name, $0.value) }),
            logger
        ) { body in await Self.send(body, to: url, settings) }
        recorder.export(to: queue, settings.sampler)
    }

    private static func send(_ body: ByteBuffer, to url: String, _ settings: CollectorSettings) async -> Outcome {
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
