package import FoundationEssentials
import Values

/// A time in the format of the SeSAC apps: `2025-10-11T08:30:00.123Z`, in UTC, always with milliseconds; their parser
/// substitutes the current time if these are missing (Anlaka contract 1.4).
package struct SeSACInstant: Encodable, Sendable, Equatable {
    package var date: Date

    package init(_ date: Date) {
        self.date = date
    }

    /// Parses a time in UTC with any number of fractional digits; nil if it is invalid.
    package init?(_ text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        self.date = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Formatted without a formatter, because lists contain thousands of times.
    package var text: String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let day = CivilDate(dayNumber: Int((Double(milliseconds) / 86_400_000).rounded(.down)))
        let time = milliseconds - day.dayNumber * 86_400_000
        let month = day.month
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func write(_ number: Int, digits: Int, _ suffix: UInt8) {
                var rest = number
                for place in (end..<end + digits).reversed() {
                    text[place] = UInt8(48 + rest % 10)
                    rest /= 10
                }
                text[end + digits] = suffix
                end += digits + 1
            }
            write(month.year, digits: 4, UInt8(ascii: "-"))
            write(month.month, digits: 2, UInt8(ascii: "-"))
            write(day.day, digits: 2, UInt8(ascii: "T"))
            write(time / 3_600_000, digits: 2, UInt8(ascii: ":"))
            write(time / 60_000 % 60, digits: 2, UInt8(ascii: ":"))
            write(time / 1000 % 60, digits: 2, UInt8(ascii: "."))
            write(time % 1000, digits: 3, UInt8(ascii: "Z"))
            return end
        }
    }
}
