/// Text that is put into a page.
enum HTMLText {
    /// A text as HTML shows it, in an element or in a quoted attribute. Braces as well, since a template's places have them:
    /// so no text can name one. NUL, which HTML cannot have, becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&", "<", ">", "\"", "'", "`", "{", "}": result += "&#\(scalar.value);"
            case "\0": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
