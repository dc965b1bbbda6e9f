/// An instant as the clocks of one place show it (proleptic Gregorian calendar, no daylight saving).
///
/// The client wants forms that no encoder writes: six digits of fraction always, never a zone.
struct WallTime: Sendable {
    private let year: Int
    private let month: Int
    private let day: Int
    private let second: Int
    private let microsecond: Int

    enum Zone: Int64, Sendable {
        case utc = 0
        case seoul = 32_400
    }

    /// - Parameter microseconds: since 1970.
    init(_ microseconds: Int64, in zone: Zone = .utc) {
        let local = microseconds + zone.rawValue * 1_000_000
        let seconds = Self.floorDivide(local, 1_000_000)
        let days = Self.floorDivide(seconds, 86_400)
        microsecond = Int(local - seconds * 1_000_000)
        second = Int(seconds - days * 86_400)
        // Days are counted from 0000-03-01, so that a leap day is the last of its year; 400 years have 146,097 days.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2025-06-11T15:50:13.843180`
    var full: String {
        "\(date)T\(time):\(Self.digits(second % 60, 2)).\(Self.digits(microsecond, 6))"
    }

    /// `2025-06-11 15:50`
    var minute: String { "\(date) \(time)" }

    /// `15:50`
    var time: String { "\(Self.digits(second / 3600, 2)):\(Self.digits(second / 60 % 60, 2))" }

    /// `06.11`
    var dayOfYear: String { "\(Self.digits(month, 2)).\(Self.digits(day, 2))" }

    private var date: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
