import Contracts
package import Logging
import Metrics
import Synchronization
import Tracing

/// The process-wide destinations of logs and metrics.
package enum Telemetry {
    private static let installed = Mutex(false)

    /// Sends logs to standard output as JSON lines and metrics to `MetricsRegistry.shared`. Later calls have no effect.
    ///
    /// - Parameters:
    ///   - service: The service name in every log line.
    ///   - level: The minimum level that is logged.
    ///   - isTraced: Whether spans are recorded, by `SpanRecorder.shared`. Without that they cost nothing.
    package static func bootstrap(service: String, level: Logger.Level, isTraced: Bool) {
        let first = installed.withLock { installed in
            defer { installed = true }
            return !installed
        }
        guard first else { return }
        LoggingSystem.bootstrap(
            { _, provider in
                var handler = JSONLogHandler(label: service)
                handler.logLevel = level
                handler.metadataProvider = provider
                return handler
            },
            metadataProvider: Logger.MetadataProvider {
                guard let trace = ServiceContext.current?.trace else { return [:] }
                return ["trace_id": "\(trace.traceID)", "span_id": "\(trace.spanID)"]
            }
        )
        MetricsSystem.bootstrap(MetricsRegistry.shared)
        Meter(label: "madang_build_info", dimensions: [("version", ProductVersion.current)]).set(1)
        if isTraced { InstrumentationSystem.bootstrap(SpanRecorder.shared) }
    }
}
