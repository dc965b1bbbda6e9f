/// A text that somebody typed, and others will read.
package enum TypedText {
    /// Whether a text has something to read, is not too long, and has nothing that cannot be shown: PostgreSQL takes no NUL,
    /// and screens no other control characters.
    ///
    /// - Parameters:
    ///   - limit: most Unicode scalars that it may have, which is how PostgreSQL counts.
    ///   - manyLines: whether line breaks and tabs are fine.
    package static func isFine(_ text: String, limit: Int, manyLines: Bool = false) -> Bool {
        isShowable(text, limit: limit, manyLines: manyLines) && text.contains { !$0.isWhitespace }
    }

    /// The same for a text that may be blank.
    package static func isShowable(_ text: String, limit: Int, manyLines: Bool = false) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count <= limit
            && scalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control || (manyLines && ["\n", "\r", "\t"].contains(scalar))
            }
    }
}
