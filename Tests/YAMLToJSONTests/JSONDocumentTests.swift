import TestKit
import Testing
import Yams

@testable import YAMLToJSON

@Suite struct JSONDocumentTests {
    private static let documents = [
        "a: 1\nb: two\nc: [x, 'y z', \"q\\\"r\"]\n",
        "list:\n  - a\n  - b: 1\n    c: 2\n  -\n    d: 3\nempty:\nflow: { k: v, n: { m: [1, 2] } }\n",
        "list:\n- a\n- b\nafter: true\n",
        "\"200\":\n  description: it's # not a comment\n  x: y # a comment\n# whole line\nz: 1.5\n",
        "- - a\n  - b\n- c\n",
        "path:\n  /a/{b}:\n    get: { summary: \"a: b\" }\nurl: http://host:80/x\n",
        "nulls: [null, ~, '']\nbools: [true, false]\nnegative: -3\ntext: 3.1.0\n",
    ]

    @Test(arguments: documents)
    func document_isConvertedAsYamsReadsIt(document: String) throws {
        let ours = try Yams.load(yaml: JSONDocument(yaml: document).text)
        let theirs = try Yams.load(yaml: document)
        #expect(canonicalText(ours) == canonicalText(theirs))
    }

    @Test(arguments: [
        ("true", "true"), ("false", "false"), ("null", "null"), ("~", "null"), ("", "null"), ("12", "12"), ("-3", "-3"),
        ("1.5", "1.5"), ("'12'", #""12""#), (#""true""#, #""true""#), ("3.1.0", #""3.1.0""#), ("no", #""no""#),
        ("2025-01-01", #""2025-01-01""#), ("2025-01-01T10:00:00Z", #""2025-01-01T10:00:00Z""#), ("12:30", #""12:30""#),
        ("1_000", #""1_000""#), ("|\n  two\n  lines", #""two\nlines""#), ("/a/b", #""/a/b""#),
        (####""\"\"\"###""####, ####""\"\"\"###""####), ("&anchor 1", "1"),
    ])
    func scalar_hasTheTypeOfYAML12(scalar: String, json: String) throws {
        #expect(try JSONDocument(yaml: "value: \(scalar)").text == #"{"value":\#(json)}"#)
    }

    @Test func keys_areSortedStrings() throws {
        #expect(try JSONDocument(yaml: "b: 1\n200: 2\na: 3").text == #"{"200":2,"a":3,"b":1}"#)
    }

    @Test(arguments: [
        "\ta: 1", "a: *x", "a: [1, 2", "a: {b: 1", "a: \"x", "a: 1\na: 2", "a: 1\n   b: 2", "a: !tag 1", "a: [1 2] 3",
        "[1]: 2",
    ])
    func invalidDocument_throws(document: String) {
        #expect(throws: (any Error).self) { try JSONDocument(yaml: document) }
    }
}
