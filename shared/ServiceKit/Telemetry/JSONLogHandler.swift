import FoundationEssentials
package import Logging
import Values

/// Writes one JSON object per line to standard output, the format of all logs of services and gateway:
///
/// - `time` (RFC 3339 in UTC, with milliseconds), `level`, `service`, and `message`, which names a component and an event;
/// - `request_id`, `trace_id` and `span_id` (W3C Trace Context) of what is logged during a request;
/// - `error`, and the fields of the message. A number is a JSON number; a name ends with its unit, as `duration_ms` does.
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
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var members: [(name: String, json: String?)] = [
            ("time", JSONText.string(time)), ("level", JSONText.string(event.level.rawValue)),
            ("service", JSONText.string(label)), ("message", JSONText.string("\(event.message)")),
        ]
        let fields = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        members += fields.sorted { $0.key < $1.key }.map { ($0.key, Self.json($0.value)) }
        if let error = event.error { members.append(("error", JSONText.string("\(error)"))) }
        write(JSONText.object(texts: members))
    }

    private static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): JSONText.string(text)
        case .stringConvertible(let number as any BinaryInteger): "\(number)"
        case .stringConvertible(let number as Double) where number.isFinite: "\(number)"
        case .stringConvertible(let flag as Bool): "\(flag)"
        case .stringConvertible(let value): JSONText.string("\(value)")
        case .array(let values): "[\(values.map(json).joined(separator: ","))]"
        case .dictionary(let values):
            JSONText.object(texts: values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        }
    }

    /// Writes one line to standard output.
    package static let standardOutput: @Sendable (String) -> Void = { line in
        Array("\(line)\n".utf8).withUnsafeBytes(StandardOutput.write)
    }
}
