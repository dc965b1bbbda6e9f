import FoundationEssentials
package import Logging
import Values

/// Writes one JSON object per line to standard output: time (UTC), level, service, message, then the metadata.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    package init(label: String, write: @escaping @Sendable (String) -> Void = Self.standardOutput) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var members: [(name: String, value: String?)] = [
            ("time", Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            ("level", event.level.rawValue),
            ("service", label),
            ("message", "\(event.message)"),
        ]
        let facts = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        members += facts.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        if let error = event.error { members.append(("error", "\(error)")) }
        write(JSONText.object(members))
    }

    /// Writes one line to standard output.
    package static let standardOutput: @Sendable (String) -> Void = { line in
        Array("\(line)\n".utf8).withUnsafeBytes(StandardOutput.write)
    }
}
