package import Logging
import Metrics
import ServiceContextModule
import Synchronization

/// The process-wide sinks of logs and metrics.
package enum Telemetry {
    private static let installed = Mutex(false)

    /// Sends logs to standard output as JSON lines and metrics to `MetricsRegistry.shared`. Later calls do nothing.
    ///
    /// - Parameters:
    ///   - service: the name in every log line.
    ///   - level: the least level that is written.
    package static func bootstrap(service: String, level: Logger.Level) {
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
                return ["trace": "\(trace.traceID)"]
            }
        )
        MetricsSystem.bootstrap(MetricsRegistry.shared)
    }
}
