import ServiceKit
import TestKit
import Testing
import Yams

@Suite struct YAMLTests {
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
    func document_isParsedLikeYams(document: String) throws {
        let ours = try Yams.load(yaml: YAML.parse(document).json)
        let theirs = try Yams.load(yaml: document)
        #expect(canonicalText(ours) == canonicalText(theirs))
    }

    @Test(arguments: [
        "\ta: 1", "a: &x 1", "a: *x", "a: |\n  text", "a: [1, 2", "a: {b: 1", "a: \"x", "a: 1\na: 2", "a: 1\n   b: 2",
        "a: !tag 1", "a: [1 2] 3",
    ])
    func unsupportedDocument_throws(document: String) {
        #expect(throws: YAMLError.self) { try YAML.parse(document) }
    }
}
