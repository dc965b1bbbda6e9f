/// An e-mail address in lower case, in the syntax that the apps accept (Anlaka contract 3.1).
struct EmailAddress: Sendable, Equatable, Hashable {
    let text: String

    /// - Throws: `AccountError.emailInvalid`.
    init(parsing input: String) throws(AccountError) {
        let text = input.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, Self.isLocalPart(parts[0]), Self.isDomain(parts[1]) else {
            throw .emailInvalid
        }
        self.text = text
    }

    /// Creates an address from a stored text, which is already validated.
    init(stored text: String) {
        self.text = text
    }

    private static func isLocalPart(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.count <= 64
            && part.unicodeScalars.allSatisfy { isAlphanumeric($0) || "._%+-".unicodeScalars.contains($0) }
    }

    private static func isDomain(_ part: Substring) -> Bool {
        let labels = part.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, top.count >= 2, top.unicodeScalars.allSatisfy(isLetter) else {
            return false
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.unicodeScalars.allSatisfy { isAlphanumeric($0) || $0 == "-" }
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar)
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || ("0"..."9").contains(scalar)
    }
}
