import ServiceKit

/// HTML that is written as a literal, in which interpolated texts are escaped.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ text: some StringProtocol) { self.text += HTMLText.escaped(String(text)) }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
    }
}
