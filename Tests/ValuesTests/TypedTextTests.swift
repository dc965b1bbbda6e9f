import Testing
import Values

@Suite struct TypedTextTests {
    @Test(arguments: ["a", "하루", " a ", "🧑‍🍳", "12345678"])
    func textWithinLimit_isValid(text: String) {
        #expect(TypedText.isValid(text, limit: 8))
    }

    @Test(arguments: ["", " ", "\u{3000}", "\u{0}", "a\u{0}", "a\n", "a\tb", "\u{7F}a", "123456789"])
    func blankControlOrLongText_isInvalid(text: String) {
        #expect(!TypedText.isValid(text, limit: 8))
    }

    @Test func limit_countsUnicodeScalars() {
        // One visible character, three Unicode scalars for the database.
        #expect(TypedText.isValid("🧑‍🍳", limit: 3))
        #expect(!TypedText.isValid("🧑‍🍳", limit: 2))
    }

    @Test func multilineText_allowsLineBreaks() {
        #expect(TypedText.isValid("a\nb\r\n\tc", limit: 10, manyLines: true))
        #expect(!TypedText.isValid("\n\t", limit: 10, manyLines: true))
        #expect(!TypedText.isValid("a\u{0}", limit: 10, manyLines: true))
    }

    @Test func blankText_isShowable() {
        #expect(TypedText.isShowable("", limit: 0))
        #expect(TypedText.isShowable("  ", limit: 2))
        #expect(!TypedText.isShowable("\u{0}", limit: 2))
    }
}
