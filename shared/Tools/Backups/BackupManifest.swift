package import FoundationEssentials

/// A complete base backup. Its manifest is written last: a backup without one does not exist.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// When it began: `20261125T123456789Z`.
    package var id: String
    /// The history of the write-ahead log that goes on from it; nil if none was archived when it was taken.
    package var history: String?
    package var began: Date
    /// The first moment that can be restored, in whole seconds.
    package var ended: Date
    /// The position in the write-ahead log where it begins, as in `0/2000028`.
    package var start: String
    package var timeline: Int
    /// The size of the databases, in bytes.
    package var size: Int
    /// The SHA-256 of each piece of the compressed tar file.
    package var pieces: [String]
    /// The superuser's password.
    var password: String

    /// The folder of the backup in its place.
    var folder: String { PlaceNames.backup(id) }

    static func piece(_ index: Int) -> String {
        let number = String(index)
        return "base-" + String(repeating: "0", count: max(0, 5 - number.count)) + number + ".tar.gz"
    }

    /// The first file of the write-ahead log that it needs.
    var firstLog: String {
        let parts = start.split(separator: "/").compactMap { UInt64($0, radix: 16) }
        guard parts.count == 2 else { return "" }
        return LogName.segment(timeline: timeline, number: parts[0] << 8 | parts[1] >> 24)
    }

    static let name = "manifest.json"
    static let filesName = "files.txt"
}

/// Names of files of the write-ahead log, whose segments have 16 MB.
enum LogName {
    static let bytes = 16 << 20
    /// The end of the name of a segment that is still written.
    static let partial = ".partial"
    /// The end of the name of a file with the history of a timeline.
    static let timeline = ".history"

    static func segment(timeline: Int, number: UInt64) -> String {
        [UInt64(timeline), number >> 8, number & 0xff].map { number in
            let digits = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The number of a segment, from the beginning of the write-ahead log: its position divided by its size.
    static func number(_ segment: some StringProtocol) -> UInt64 {
        let parts = segment.dropFirst(8)
        return (UInt64(parts.prefix(8), radix: 16) ?? 0) << 8 | (UInt64(parts.dropFirst(8).prefix(8), radix: 16) ?? 0)
    }

    /// Whether a file of this name is archived; `pg_receivewal` has others for moments.
    static func isArchived(_ name: String) -> Bool { isSegment(name) || name.hasSuffix(timeline) }

    /// Whether it is the name of a segment, complete or not; `00000002.history` is none.
    static func isSegment(_ name: String) -> Bool {
        name.count >= 24 && name.prefix(24).allSatisfy(\.isHexDigit)
    }
}

/// Times in backups and messages.
package enum BackupTime {
    /// `20261125T123456789Z`, with milliseconds, for names.
    package static func name(_ date: Date) -> String {
        precise(date).filter { !"-:.".contains($0) }
    }

    /// `2026-11-25T12:34:56Z`, without the fraction of a second.
    package static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    /// Parses `2026-11-25T12:34:56+09:00`, with or without a fraction; nil for anything else.
    package static func date(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        return try? style.parse(text)
    }

    /// A time as PostgreSQL parses it in a configuration file, where it knows no `Z`: `2026-11-25T12:34:56.789+00`.
    static func sql(_ date: Date) -> String { precise(date).replacing("Z", with: "+00") }

    private static func precise(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static func roundedUp(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    }
}
