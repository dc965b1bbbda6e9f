/// What a text may hold that somebody typed in. Its length is what the database counts: Unicode scalars. Control
/// characters are in none; NUL is nothing that PostgreSQL could keep.
enum TextRule {
    /// - Returns: the text, as it is.
    /// - Throws: `WorkforceError.field`, naming the field.
    @discardableResult
    static func check(_ text: String, _ field: String, upTo limit: Int, mayBeBlank: Bool = false) throws -> String {
        let scalars = text.unicodeScalars
        guard scalars.count <= limit else {
            throw WorkforceError.field("\(field) must have at most \(limit) characters.")
        }
        guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw WorkforceError.field("\(field) must have no control characters.")
        }
        guard mayBeBlank || !scalars.allSatisfy(\.properties.isWhitespace) else {
            throw WorkforceError.field("\(field) must not be blank.")
        }
        return text
    }
}
