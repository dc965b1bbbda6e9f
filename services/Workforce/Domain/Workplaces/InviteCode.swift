/// A temporary code for joining a shared workplace (MOUP contract 4, invite codes). It is case-insensitive.
struct InviteCode: Sendable, Hashable {
    let text: String

    /// In seconds.
    static let lifetime = 600.0
    static let length = 6
    /// Without 0, 1, I and O, which are easily confused.
    static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

    /// Returns nil for a text other than six Latin letters and digits.
    init?(_ text: String) {
        guard text.utf8.count == Self.length,
            text.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) })
        else { return nil }
        self.text = text.uppercased()
    }

    private init(letters: [Character]) {
        text = String(letters)
    }

    /// Generates an unguessable code.
    static func random() -> InviteCode {
        var generator = SystemRandomNumberGenerator()
        return InviteCode(
            letters: (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
        )
    }
}
