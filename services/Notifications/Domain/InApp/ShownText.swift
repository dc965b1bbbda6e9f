/// Texts of users as displayed in pushes: truncated, and without control characters.
enum ShownText {
    /// Limits of a push, in Unicode scalars.
    static let title = 100
    static let body = 1000

    /// A text as one line of at most `limit` Unicode scalars; truncation is marked by an ellipsis.
    static func line(_ text: String, limit: Int = title) -> String {
        shortened(text, limit: limit, keepsLines: false)
    }

    /// The same for a text that may have several lines.
    static func lines(_ text: String, limit: Int = body) -> String {
        shortened(text, limit: limit, keepsLines: true)
    }

    private static func shortened(_ text: String, limit: Int, keepsLines: Bool) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory != .control || (keepsLines && scalar == "\n") {
                shown.append(scalar)
            } else if scalar == "\n" || scalar == "\t" {
                shown.append(" ")
            }
        }
        guard shown.count > limit else { return String(shown) }
        var (result, length) = ("", 0)
        // Truncates at a grapheme cluster: a part of one may display as another character.
        for character in String(shown) {
            length += character.unicodeScalars.count
            guard length < limit else { break }
            result.append(character)
        }
        return result + "…"
    }
}
