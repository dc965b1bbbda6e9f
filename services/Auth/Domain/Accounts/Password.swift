/// A password that keeps the apps' rule: at least eight characters, among them a letter, a digit and one of
/// `@$!%*#?&`, and nothing else (Anlaka contract 3.1). Never printed.
struct Password: Sendable {
    let text: String

    /// Longer ones would only serve to keep the hashing busy.
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
    /// - Throws: `AccountError.passwordShort` for fewer than 8 characters, or more than 128.
    static func culture(_ text: String) throws(AccountError) -> Password {
        guard (8...lengthLimit).contains(text.count) else { throw .passwordShort }
        return Password(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
    }
}
