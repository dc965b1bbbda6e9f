import FoundationEssentials
import Testing
import Values

@Suite struct JSONTreeTests {
    private static func read(_ text: String) throws(JSONError) -> JSONTree { try JSONTree(parsing: Array(text.utf8)) }

    @Test func values_areParsed() throws {
        let tree = try Self.read(
            #" {"a" : [1, -2.5e+3, 0, true, false, null, "x", [], {}], "b\u002f\n": "\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00 한"} "#
        )
        #expect(
            tree["a"]
                == .array([
                    .number("1"), .number("-2.5e+3"), .number("0"), .bool(true), .bool(false), .null, .string("x"),
                    .array([]),
                    .object([]),
                ])
        )
        #expect(tree["b/\n"]?.string == "\"\\/\u{8}\u{c}\n\r\té😀 한")
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1", "[1,]", "[,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#, "'a'", "01",
        "1.", ".5",
        "-", "+1", "1e", "tru", "nulll", "1 1", #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\u12G4""#, #""\u+123""#,
        #""\uD83D""#, #""\uD83Dx""#, #""\uDE00""#, "\"\n\"", "NaN",
    ])
    func malformedJSON_isRefused(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test func invalidUTF8_isRefused() {
        #expect(throws: JSONError.self) { try JSONTree(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONTree(parsing: [0x22, 0x5C, 0x6E, 0xC3, 0x22]) }
    }

    @Test func repeatedName_isRefused_whereThatIsWanted() throws {
        let text = #"{"a": 1, "\u0061": 2}"#
        #expect(try Self.read(text)["a"] == .number("1"))
        let error = try #require(throws: JSONError.self) {
            try JSONTree(parsing: text.utf8, refusesRepeatedNames: true)
        }
        guard case .repeated("a") = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func depth_isLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try Self.read(nested(100))
        #expect(throws: JSONError.self) { try Self.read(nested(101)) }
        _ = try Self.read("[" + Array(repeating: "[]", count: 200).joined(separator: ",") + "]")
    }

    @Test(arguments: [
        "null", "true", "false", "-1.5", #""""#, #""가\n\"\\\u0001""#, "[]", "[1,2,[3]]", "{}",
        #"{"b":1.50,"a":[true,null,"x\"\n"],"나":{"z":-2e3,"y":{}}}"#,
    ])
    func orderAndDigits_stay(text: String) throws {
        #expect(try Self.read(text).text == text)
        #expect(try Self.read(" " + text.replacing(",", with: " ,\n").replacing(":", with: " : ")).text == text)
    }

    @Test func parsedValue_isEncodedUnchanged_andHugeNumberAsText() throws {
        let text = #"{"aCamel":[1,2.5,"x",null,true],"b_c":{"d":{}},"e":"1e999"}"#
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = try encoder.encode(Self.read(text.replacing(#""1e999""#, with: "1e999")))
        #expect(String(decoding: written, as: UTF8.self) == text)
    }
}
