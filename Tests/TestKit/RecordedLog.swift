package import Logging
import Synchronization

/// What was logged, for a test to look at.
package final class RecordedLog: Sendable {
    package struct Line: Sendable, Equatable {
        package var level: Logger.Level
        package var message: String
        package var metadata: [String: String]
    }

    private let recorded = Mutex<[Line]>([])

    package init() {}

    package var lines: [Line] { recorded.withLock { $0 } }

    /// A logger that writes here, everything from debug upwards.
    package var logger: Logger { Logger(label: "recorded") { _ in Handler(log: self) } }

    fileprivate func append(_ line: Line) { recorded.withLock { $0.append(line) } }
}

private struct Handler: LogHandler {
    let log: RecordedLog
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        log.append(
            RecordedLog.Line(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" })
        )
    }
}
