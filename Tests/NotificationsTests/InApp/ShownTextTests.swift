import FoundationEssentials
import TestKit
import Testing

@testable import Notifications

/// Texts of users as they are shown.
@Suite
struct ShownTextTests {
    @Test
    func longText_isCutAtWholeCharacters() {
        #expect(ShownText.line("가나다", limit: 3) == "가나다")
        #expect(ShownText.line("가나다라", limit: 3) == "가나…")
        // A family is one character of seven scalars.
        #expect(ShownText.line("가👨‍👩‍👧‍👦나다라마바", limit: 6) == "가…")
        #expect(ShownText.line("", limit: 3) == "")
        let marks = "e" + String(repeating: "\u{301}", count: 5000)
        #expect(ShownText.lines(marks).unicodeScalars.count <= ShownText.body)
    }

    @Test
    func controlCharacters_areRemoved() {
        #expect(ShownText.line("가\u{0}나\n다\t라\u{7}") == "가나 다 라")
        #expect(ShownText.lines("가\u{0}나\n다\t라") == "가나\n다 라")
    }

    @Test
    func derivedIDs_areDeterministicAndDistinct() {
        let id = UUID(derivedFrom: ["order", "A", "paid"])
        #expect(id == UUID(derivedFrom: ["order", "A", "paid"]))
        for other in [
            ["order", "Ap", "aid"], ["order", "A", "refunded"], ["orderA", "paid"], ["order", "A", "paid", ""],
        ] { #expect(id != UUID(derivedFrom: other)) }
        #expect(id.uuidString.dropFirst(14).first == "8")
        #expect(id.uuidString.dropFirst(19).first.map { "89AB".contains($0) } == true)
        #expect(UUID(of: "message", by: 1, key: nil) != UUID(of: "message", by: 1, key: nil))
        #expect(UUID(of: "message", by: 1, key: "k") == UUID(of: "message", by: 1, key: "k"))
        #expect(UUID(of: "message", by: 1, key: "k") != UUID(of: "message", by: 2, key: "k"))
        #expect(UUID(of: "message", by: 1, key: "k") != UUID(of: "announcement", by: 1, key: "k"))
    }
}
