import FoundationEssentials
import Values

/// An instant in MOUP's format: `2025-10-11T08:30:00Z`, in UTC and without fractions (contract 1.1). Offsets and
/// fractions are accepted; fractions are truncated.
struct Instant: Codable, Equatable, Sendable {
    var date: Date

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard Self.isReal(text),
            let date = (try? Date(text, strategy: .iso8601))
                ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            Self.range.contains(date)
        else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no instant")
        }
        self.date = SeoulTime.wholeSeconds(date)
    }

    /// Whether date and time exist; the parse strategies accept 30 February as 2 March.
    private static func isReal(_ text: String) -> Bool {
        guard CivilDate(text.prefix(10)) != nil else { return false }
        let time = text.dropFirst(11).prefix(8).split(separator: ":").map { Int($0) }
        return time.count == 3
            && zip(time, [24, 60, 60]).allSatisfy { number, end in number.map { $0 < end } ?? false }
    }

    /// From 2000 to 2100; values outside are typing errors.
    private static let range = Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 4_102_444_800)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var text: String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        // All instants are after 1970.
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return "\(CivilDate(dayNumber: day))T\(ClockTime(minute: time / 60)):\(ClockTime.twoDigits(time % 60))Z"
    }
}

/// A time of day: `HH:mm`.
struct ClockTime: Codable, Equatable, Sendable, CustomStringConvertible {
    /// Minutes after midnight.
    var minute: Int

    init(minute: Int) {
        self.minute = minute
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time") }
        self.minute = hour * 60 + minute
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    var description: String { "\(Self.twoDigits(minute / 60)):\(Self.twoDigits(minute % 60))" }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
