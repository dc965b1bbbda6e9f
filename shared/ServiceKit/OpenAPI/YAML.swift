/// A reader for the subset of YAML 1.2 used by API documents: block mappings and sequences by indentation, flow
/// mappings and sequences on one line, plain and quoted scalars on one line, comments.
///
/// Anchors, tags, multi-line scalars and tabs are errors.
package enum YAML {
    /// A YAML value. Mappings keep their order.
    package indirect enum Value: Sendable, Equatable {
        case null
        case bool(Bool)
        case int(Int)
        case double(Double)
        case string(String)
        case sequence([Value])
        case mapping([Pair])

        package struct Pair: Sendable, Equatable {
            package var key: String
            package var value: Value
        }

        /// The value of a key in a mapping; nil for other kinds of values.
        package subscript(key: String) -> Value? {
            guard case .mapping(let pairs) = self else { return nil }
            return pairs.first { $0.key == key }?.value
        }

        /// The keys of a mapping, in order.
        package var keys: [String] {
            guard case .mapping(let pairs) = self else { return [] }
            return pairs.map(\.key)
        }
    }

    /// - Throws: `YAMLError` with the number of the invalid line.
    package static func parse(_ text: String) throws(YAMLError) -> Value {
        var lines: [YAMLLine] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let line = try YAMLLine(line, number: index + 1) { lines.append(line) }
        }
        var parser = YAMLBlockParser(lines: lines[...])
        let value = try parser.block(indent: 0)
        if let rest = parser.lines.first { throw YAMLError(line: rest.number, reason: "unexpected indentation") }
        return value
    }
}

/// A syntax error in a document.
package struct YAMLError: Error, CustomStringConvertible, Equatable {
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// A line with content: its indentation, and its text without comments.
struct YAMLLine {
    var number: Int
    var indent: Int
    var text: Substring

    init?(_ line: Substring, number: Int) throws(YAMLError) {
        let content = line.drop { $0 == " " }
        if content.first == "\t" { throw YAMLError(line: number, reason: "tabs do not indent") }
        let text = Self.withoutComment(content)
        guard !text.isEmpty, text != "---" else { return nil }
        self.number = number
        self.indent = line.count - content.count
        self.text = text
    }

    private static func withoutComment(_ text: Substring) -> Substring {
        var quote: Character?
        var previous: Character = " "
        var end = text.endIndex
        for index in text.indices {
            let character = text[index]
            if quote == nil, character == "#", previous == " " {
                end = index
                break
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'", !previous.isLetter, !previous.isNumber {
                quote = character
            }
            previous = character
        }
        var kept = text[..<end]
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return kept
    }
}
