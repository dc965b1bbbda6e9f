/// A text that somebody typed.
enum TypedText {
    /// - Parameters:
    ///   - field: what the app calls it.
    ///   - limit: most Unicode scalars that it may have, which is how PostgreSQL counts.
    ///   - manyLines: whether line breaks and tabs are fine.
    /// - Returns: the text.
    /// - Throws: `PassengerError.textInvalid` for one that is blank, longer, or has control characters.
    static func checked(
        _ text: String,
        field: String,
        limit: Int,
        manyLines: Bool = false
    ) throws(PassengerError) -> String {
        let scalars = text.unicodeScalars
        let isFine = scalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || (manyLines && ["\n", "\r", "\t"].contains(scalar))
        }
        guard isFine, scalars.count <= limit, text.contains(where: { !$0.isWhitespace }) else {
            throw .textInvalid(field: field, limit: limit)
        }
        return text
    }
}
