import Authentication
import Contracts
package import Logging
import NIOCore
import ServiceLifecycle
import Tracing
import Values

/// Sends kept traces to the console, and learns from it which ones other programs keep.
package struct TraceKeeper: Service {
    private let program: String
    private let client: InternalClient
    private let recorder: SpanRecorder
    private let exporter: SpanExporter
    private let logger: Logger

    /// How often calls are reported.
    private static let reportInterval = Duration.seconds(10)

    package init(_ settings: ConsoleSettings, of recorder: SpanRecorder, logger: Logger) {
        program = settings.keys.program.rawValue
        let client = InternalClient(to: .console, at: settings.urls, keys: settings.keys)
        self.client = client
        self.recorder = recorder
        self.logger = logger
        let resource = OTLPTraces(resource: [
            ("service.name", program), ("service.instance.id", SpanID.random().description),
        ])
        let queue = SpanQueue(limit: 8192, batchSize: 512)
        exporter = SpanExporter(queue, to: "console", delay: .milliseconds(500), batchSize: 512, resource, logger) {
            body in
            do {
                try await client.post(ConsoleAPI.tracesPath, json: String(buffer: body), repeatable: true)
                return .accepted
            } catch InternalCallError.refused(_, let status) where status < 500 {
                return .refused("status \(status)")
            } catch {
                return .unavailable("\(error)")
            }
        }
        recorder.store(in: queue, share: settings.share)
    }

    package func run() async throws {
        try await ServiceContext.withoutSpans {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await exporter.run() }
                group.addTask { await cancelWhenGracefulShutdown { await follow() } }
                group.addTask { await cancelWhenGracefulShutdown { await report() } }
                try await group.waitForAll()
            }
        }
    }

    /// Keeps what other programs keep.
    private func follow() async {
        var position: String?
        var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
        while !Task.isCancelled {
            do {
                let path = ConsoleAPI.Kept.path(after: position)
                let kept: ConsoleAPI.Kept = try await client.get(path, deadline: .seconds(20))
                recorder.keep(kept.traces.compactMap { TraceID($0) })
                position = kept.position
                backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
            } catch {
                position = nil
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    private func report() async {
        while (try? await Task.sleep(for: Self.reportInterval)) != nil {
            guard let calls = recorder.calls.take(of: program) else { continue }
            do {
                // A repetition would be counted twice.
                try await client.post(ConsoleAPI.Calls.path, calls, repeatable: false)
            } catch {
                recorder.calls.putBack(calls)
            }
        }
    }
}
