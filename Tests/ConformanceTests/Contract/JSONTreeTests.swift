import Testing

@testable import Conformance

struct JSONTreeTests {
    @Test func orderAndDigits_stay() throws {
        let text = #"{"b":1.50,"a":[true,null,"x\"\n"],"c":{"z":-2e3,"y":{}}}"#
        #expect(try JSONTree(parsing: text.utf8).text == text)
    }

    @Test func escapes_areRead() throws {
        let tree = try JSONTree(parsing: #""\u00e9\ud83d\ude00\/\t""#.utf8)
        #expect(tree == .string("é😀/\t"))
    }

    @Test(arguments: [
        "", "{", "[1,]", #"{"a":}"#, #"{"a" 1}"#, "01", "1.", "tru", #""a"#, #""\x""#, #""\u12""#, "{} {}", "[1 2]",
        "\"\u{1}\"",
        String(repeating: "[", count: 200),
    ])
    func otherText_isRefused(_ text: String) {
        #expect(throws: ConformanceError.self) { try JSONTree(parsing: text.utf8) }
    }
}
