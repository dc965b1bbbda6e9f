import Values

/// The local time of an instant (proleptic Gregorian calendar, no daylight saving).
///
/// The client requires formats that no encoder produces: always six fractional digits, never a zone.
struct WallTime: Sendable {
    private let day: CivilDate
    private let second: Int
    private let microsecond: Int

    enum Zone: Sendable {
        case utc
        case seoul

        /// In seconds.
        fileprivate var offset: Int64 {
            switch self {
            case .utc: 0
            case .seoul: Int64(SeoulTime.offset)
            }
        }
    }

    /// - Parameter microseconds: since 1970.
    init(_ microseconds: Int64, in zone: Zone = .utc) {
        let local = microseconds + zone.offset * 1_000_000
        let seconds = Self.floorDivide(local, 1_000_000)
        let days = Self.floorDivide(seconds, 86_400)
        microsecond = Int(local - seconds * 1_000_000)
        second = Int(seconds - days * 86_400)
        day = CivilDate(dayNumber: Int(days))
    }

    /// `2025-06-11T15:50:13.843180`
    var full: String {
        "\(day)T\(time):\(Self.digits(second % 60, 2)).\(Self.digits(microsecond, 6))"
    }

    /// `2025-06-11 15:50`
    var minute: String { "\(day) \(time)" }

    /// `15:50`
    var time: String { "\(Self.digits(second / 3600, 2)):\(Self.digits(second / 60 % 60, 2))" }

    /// `06.11`
    var dayOfYear: String { "\(Self.digits(day.month.month, 2)).\(Self.digits(day.day, 2))" }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
