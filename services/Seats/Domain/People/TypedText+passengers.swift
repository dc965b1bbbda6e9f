import TypedText

extension TypedText {
    /// - Parameters:
    ///   - field: what the app calls it.
    ///   - limit: most Unicode scalars that it may have.
    /// - Returns: the text.
    /// - Throws: `PassengerError.textInvalid` for one that is blank, longer, or has control characters.
    static func checked(
        _ text: String,
        field: String,
        limit: Int,
        manyLines: Bool = false
    ) throws(PassengerError) -> String {
        guard isFine(text, limit: limit, manyLines: manyLines) else {
            throw .textInvalid(field: field, limit: limit)
        }
        return text
    }
}
