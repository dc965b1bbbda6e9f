import Testing
import Values

@Suite struct TypedTextTests {
    @Test(arguments: ["a", "하루", " a ", "🧑‍🍳", "12345678"])
    func isFine(text: String) {
        #expect(TypedText.isFine(text, limit: 8))
    }

    @Test(arguments: ["", " ", "\u{3000}", "\u{0}", "a\u{0}", "a\n", "a\tb", "\u{7F}a", "123456789"])
    func isNotFine(text: String) {
        #expect(!TypedText.isFine(text, limit: 8))
    }

    @Test func countsAsPostgreSQLDoes() {
        // One character for people, three scalars for the database.
        #expect(TypedText.isFine("🧑‍🍳", limit: 3))
        #expect(!TypedText.isFine("🧑‍🍳", limit: 2))
    }

    @Test func manyLinesMayBreak() {
        #expect(TypedText.isFine("a\nb\r\n\tc", limit: 10, manyLines: true))
        #expect(!TypedText.isFine("\n\t", limit: 10, manyLines: true))
        #expect(!TypedText.isFine("a\u{0}", limit: 10, manyLines: true))
    }

    @Test func aBlankTextCanBeShown() {
        #expect(TypedText.isShowable("", limit: 0))
        #expect(TypedText.isShowable("  ", limit: 2))
        #expect(!TypedText.isShowable("\u{0}", limit: 2))
    }
}
