/// Public ids of 24 lower-case hexadecimal digits.
package enum PublicID {
    /// 96 random bits.
    package static func random() -> String {
        let digits = Array("0123456789abcdef")
        var generator = SystemRandomNumberGenerator()
        return String((0..<24).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    /// Whether a text has the form of a public id.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count == 24 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
