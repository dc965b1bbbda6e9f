import FoundationEssentials

/// The response field `Retry-After` (RFC 9110 10.2.3): seconds, or a date.
enum RetryAfter {
    /// - Returns: Seconds from `now`; nil for a text of another form.
    static func seconds(_ text: String, at now: Date) -> TimeInterval? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return TimeInterval(text) }
        return date(text).map { max($0.timeIntervalSince(now), 0) }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// A date as senders write it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
    private static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Date("\(words[3])-\(number)-\(words[1])T\(words[4])Z", strategy: .iso8601)
    }
}
