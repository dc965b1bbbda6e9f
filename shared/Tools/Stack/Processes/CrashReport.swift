import FoundationEssentials
import StackKit

/// What a program printed before it died: the message of the runtime and its backtrace, if it crashed.
struct CrashReport {
    private let output: [UInt8]

    /// The number of reports that are kept, of all programs together.
    private static let kept = 20
    private static let bytes = 64 << 10

    init(log: LogFile) {
        output = log.bytes(from: max(0, log.size - Self.bytes))
    }

    /// Writes the report to `NAME-TIME.log` in a folder, and removes the oldest ones.
    func save(in folder: String, as name: String) {
        let files = FileManager.default
        try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let time = Date.now.formatted(.iso8601).replacing(":", with: "-")
        try? Data(output).write(to: URL(filePath: "\(folder)/\(name)-\(time).log"))
        let reports = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        // The time is the last part of a name.
        let oldest = reports.sorted { $0.suffix(Self.timeLength) < $1.suffix(Self.timeLength) }.dropLast(Self.kept)
        for report in oldest { try? files.removeItem(atPath: "\(folder)/\(report)") }
    }

    private static let timeLength = "2026-01-01T00-00-00Z.log".count

    /// The line in which the Swift runtime names the reason.
    var cause: String {
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").suffix(400)
        let line = lines.last { line in ["Fatal error:", "Program crashed:"].contains { line.contains($0) } }
        return line.map { String($0.drop { "* 💣".contains($0) }.prefix { $0 != "*" }) } ?? "it printed no reason"
    }
}
