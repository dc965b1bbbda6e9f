/// Validation of texts entered by users and shown to others.
package enum TypedText {
    /// Whether a text is not blank, is not too long, and has only displayable characters: PostgreSQL does not store
    /// NUL, and screens do not show other control characters.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of Unicode scalars, which is how PostgreSQL counts.
    ///   - manyLines: Whether line breaks and tabs are allowed.
    package static func isValid(_ text: String, limit: Int, manyLines: Bool = false) -> Bool {
        isShowable(text, limit: limit, manyLines: manyLines) && text.contains { !$0.isWhitespace }
    }

    /// Whether a text has at most `limit` characters as a user counts them, of which each may have a few Unicode scalars:
    /// an emoji of a family has seven, and combining marks have no limit of their own.
    package static func fits(_ text: String, characters limit: Int) -> Bool {
        text.unicodeScalars.count <= limit * scalarsPerCharacter && text.count <= limit
    }

    package static let scalarsPerCharacter = 8

    /// Like `isValid`, but the text may be blank.
    package static func isShowable(_ text: String, limit: Int, manyLines: Bool = false) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count <= limit
            && scalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control || (manyLines && ["\n", "\r", "\t"].contains(scalar))
            }
    }
}
