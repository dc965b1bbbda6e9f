/// The id that the apps use for an account, a post, a comment, a listing, an order, a payment, an event or a chat room:
/// 24 lower-case hexadecimal digits. In JSON, in text and in a database it is the plain text.
package struct PublicID: RawRepresentable, Hashable, Comparable, Codable, Sendable, LosslessStringConvertible {
    package let rawValue: String

    package var description: String { rawValue }

    /// - Returns: nil for a text of another form.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == 24, rawValue.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.rawValue = rawValue
    }

    /// - Returns: nil for a text of another form.
    package init?(_ text: String) { self.init(rawValue: text) }

    /// Parses an id.
    ///
    /// - Throws: The given error for a text of another form.
    package init<Failure>(parsing text: String, else failure: Failure) throws(Failure) {
        guard let id = PublicID(rawValue: text) else { throw failure }
        self = id
    }

    /// Creates an id from a text that has the form of one, as a database holds it.
    package init(unchecked text: String) {
        rawValue = text
    }

    /// 96 random bits.
    package static func random() -> PublicID {
        let digits = Array("0123456789abcdef")
        var generator = SystemRandomNumberGenerator()
        return PublicID(unchecked: String((0..<24).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }))
    }

    package static func < (one: PublicID, other: PublicID) -> Bool { one.rawValue < other.rawValue }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }
}
