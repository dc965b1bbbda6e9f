import FoundationEssentials
import Testing
import Values

@Suite struct JSONTextTests {
    @Test(arguments: ["", "plain", "\"quoted\"", "back\\slash", "line\nbreak\r\t", "\u{0}\u{1f}", "한글 🚇", "e\u{301}"])
    func string_survivesDecoding(value: String) throws {
        let data = Data("[\(JSONText.string(value))]".utf8)
        #expect(try JSONDecoder().decode([String].self, from: data) == [value])
    }

    @Test func object_keepsOrderOfMembers() {
        #expect(JSONText.object([("b", "1\""), ("a", nil)]) == #"{"b":"1\"","a":null}"#)
        #expect(JSONText.object(texts: [("c", nil), ("b", "[1]"), ("a\n", "{}")]) == #"{"b":[1],"a\n":{}}"#)
        #expect(JSONText.object(texts: [("a", nil)]) == "{}")
    }
}
