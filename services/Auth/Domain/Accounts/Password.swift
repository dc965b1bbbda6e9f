/// A password that satisfies the apps' rule: at least eight characters, with a letter, a digit and one of `@$!%*#?&`,
/// and no other characters (Anlaka contract 3.1). Must not be logged.
struct Password: Sendable {
    let text: String

    /// Bounds the cost of hashing.
    static let lengthLimit = 128

    /// - Throws: `AccountError.passwordWeak`.
    init(parsing text: String) throws(AccountError) {
        let scalars = text.unicodeScalars
        let letters = scalars.filter { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }.count
        let digits = scalars.filter { ("0"..."9").contains($0) }.count
        let signs = scalars.filter { "@$!%*#?&".unicodeScalars.contains($0) }.count
        guard (8...Self.lengthLimit).contains(scalars.count), letters > 0, digits > 0, signs > 0,
            letters + digits + signs == scalars.count
        else { throw .passwordWeak }
        self.text = text
    }

    /// Seoul Culture's client has no rule of its own (Culture contract 4.1).
    ///
    /// - Throws: `AccountError.passwordShort` for fewer than 8 or more than 128 characters.
    static func culture(_ text: String) throws(AccountError) -> Password {
        guard (8...lengthLimit).contains(text.unicodeScalars.count) else { throw .passwordShort }
        return Password(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
    }
}
