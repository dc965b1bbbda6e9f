import ServiceKit

/// HTML in which values are escaped: a text that is inserted by interpolation is shown as it is, and cannot become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    private init(markup text: String) { self.text = text }

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ list: [HTML]) { for html in list { text += html.text } }
        mutating func appendInterpolation(_ value: some StringProtocol) { text += HTML.escaped(String(value)) }
        /// A text that may be long, up to 20,000 characters.
        mutating func appendInterpolation(whole value: String) { text += HTML.escaped(value, upTo: 20_000) }
        mutating func appendInterpolation(_ value: some BinaryInteger) { text += "\(value)" }
    }

    /// The longest text that a page shows of one value, in characters.
    private static let longestText = 500

    /// Long texts are cut, and control characters, which terminals may obey, become U+FFFD.
    private static func escaped(_ text: String, upTo length: Int = longestText) -> String {
        let cut = text.unicodeScalars.prefix(length).map { scalar in
            scalar.properties.generalCategory == .control && scalar != "\n" ? "\u{FFFD}" : scalar
        }
        var short = String(String.UnicodeScalarView(cut))
        if text.unicodeScalars.dropFirst(length).first != nil { short += "…" }
        return HTMLText.escaped(short)
    }
}
