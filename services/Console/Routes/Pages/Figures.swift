import FoundationEssentials
import Values

/// How durations and instants are written on pages.
enum Figures {
    /// As `850 µs`, `12.3 ms`, `4.56 s`.
    static func duration(nanoseconds: Int64) -> String {
        let value = Double(nanoseconds)
        return switch value {
        case ..<1_000_000: "\(Figure.text(value / 1000)) µs"
        case ..<1_000_000_000: "\(Figure.text(value / 1_000_000)) ms"
        default: "\(Figure.text(value / 1_000_000_000)) s"
        }
    }

    /// The time in Seoul, as `2026-11-27 21:04:05`.
    static func instant(_ date: Date) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down)) % 60
        let minute = SeoulTime.minute(of: date)
        return "\(SeoulTime.date(of: date)) \(two(minute / 60)):\(two(minute % 60)):\(two(second))"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
