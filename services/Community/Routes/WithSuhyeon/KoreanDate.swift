import FoundationEssentials
import Values

/// Dates in With Suhyeon's format (contract 1.1): Korean local time and language, independent of the machine's locale.
enum KoreanDate {
    /// `1월 25일 (토) 오후 2시 30분`.
    static func long(_ instant: Date) -> String {
        let (day, minute) = (SeoulTime.date(of: instant), SeoulTime.minute(of: instant))
        let hour = minute / 60
        let half = hour < 12 ? "오전" : "오후"
        let minutes = minute % 60 < 10 ? "0\(minute % 60)" : "\(minute % 60)"
        return "\(short(day)) (\(weekday(day))) \(half) \((hour + 11) % 12 + 1)시 \(minutes)분"
    }

    /// `1월 25일`.
    static func short(_ instant: Date) -> String { short(SeoulTime.date(of: instant)) }

    private static func short(_ day: CivilDate) -> String { "\(day.month.month)월 \(day.day)일" }

    /// `1/25 (토)`.
    static func chip(_ day: CivilDate) -> String { "\(day.month.month)/\(day.day) (\(weekday(day)))" }

    /// The day of a chip. The weekday is ignored, since the app's days are all of one year.
    static func day(ofChip text: String) -> YearlyDay? {
        let numbers = text.prefix { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, let month = number(numbers[0], digits: 1...2),
            let day = number(numbers[1], digits: 1...2)
        else { return nil }
        return YearlyDay(month: month, day: day)
    }

    /// The instant of a Korean local time such as `2025-01-25T18:00`; seconds with a fraction may follow.
    static func instant(_ text: String) -> Date? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let day = CivilDate(halves[0]) else { return nil }
        let fields = halves[1].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), let hour = number(fields[0], digits: 2...2), hour < 24,
            let minute = number(fields[1], digits: 2...2), minute < 60
        else { return nil }
        guard let seconds = fields.count == 3 ? seconds(fields[2]) : 0 else { return nil }
        return SeoulTime.instant(day, minute: hour * 60 + minute).addingTimeInterval(seconds)
    }

    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = number(parts[0], digits: 2...2), whole < 60 else { return nil }
        guard parts.count == 2 else { return parts.count == 1 ? Double(whole) : nil }
        guard number(parts[1], digits: 1...9) != nil else { return nil }
        return Double(text)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func weekday(_ day: CivilDate) -> String {
        switch day.weekday {
        case .monday: "월"
        case .tuesday: "화"
        case .wednesday: "수"
        case .thursday: "목"
        case .friday: "금"
        case .saturday: "토"
        case .sunday: "일"
        }
    }
}
