import Values

extension TypedText {
    /// - Returns: the text, unmodified.
    /// - Throws: `WorkforceError.field` with the name of the field, for a text that is blank, too long, or has control
    ///   characters.
    static func checked(_ text: String, _ field: String, limit: Int, mayBeBlank: Bool = false) throws -> String {
        guard mayBeBlank ? isShowable(text, limit: limit) : isValid(text, limit: limit) else {
            throw WorkforceError.field("\(field)은(는) \(mayBeBlank ? 0 : 1)~\(limit)자여야 하고, 제어 문자를 담을 수 없습니다.")
        }
        return text
    }
}
