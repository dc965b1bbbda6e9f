import Values

extension TypedText {
    /// - Parameters:
    ///   - field: the field's name in the API.
    ///   - limit: maximum number of Unicode scalars.
    /// - Returns: the text.
    /// - Throws: `PassengerError.textInvalid` for a text that is blank, too long, or has control characters.
    static func checked(
        _ text: String,
        field: String,
        limit: Int,
        manyLines: Bool = false
    ) throws(PassengerError) -> String {
        guard isValid(text, limit: limit, manyLines: manyLines) else {
            throw .textInvalid(field: field, limit: limit)
        }
        return text
    }
}
