/// Parses a value on one line: scalars, `[a, b]` and `{a: b}`.
struct YAMLFlowParser {
    var text: Substring
    let line: Int

    /// Parses the whole text as one value.
    mutating func document() throws(YAMLError) -> YAML.Value {
        let whole = text
        guard let first = text.first, !"&*!|>%@`".contains(first) else {
            throw YAMLError(line: line, reason: "`\(whole)` is of a kind that is not read here")
        }
        guard "[{\"'".contains(first) else { return Self.plain(whole) }
        let value = try value()
        skipSpaces()
        guard text.isEmpty else { throw YAMLError(line: line, reason: "unexpected `\(text)`") }
        return value
    }

    private mutating func value() throws(YAMLError) -> YAML.Value {
        skipSpaces()
        switch text.first {
        case "[": return try sequence()
        case "{": return try mapping()
        case "\"", "'": return .string(try quoted())
        default: return Self.plain(take { !",]}".contains($0) })
        }
    }

    private mutating func sequence() throws(YAMLError) -> YAML.Value {
        text.removeFirst()
        var items: [YAML.Value] = []
        while try !closes(with: "]") {
            items.append(try value())
            try separator(before: "]")
        }
        return .sequence(items)
    }

    private mutating func mapping() throws(YAMLError) -> YAML.Value {
        text.removeFirst()
        var pairs: [YAML.Value.Pair] = []
        while try !closes(with: "}") {
            let key =
                "\"'".contains(text.first ?? " ") ? try quoted() : String(take { $0 != ":" && $0 != "," && $0 != "}" })
            guard text.first == ":" else { throw YAMLError(line: line, reason: "expected `:` after `\(key)`") }
            text.removeFirst()
            pairs.append(.init(key: key, value: try value()))
            try separator(before: "}")
        }
        return .mapping(pairs)
    }

    private mutating func closes(with end: Character) throws(YAMLError) -> Bool {
        skipSpaces()
        guard let first = text.first else { throw YAMLError(line: line, reason: "`\(end)` is missing") }
        guard first == end else { return false }
        text.removeFirst()
        return true
    }

    private mutating func separator(before end: Character) throws(YAMLError) {
        skipSpaces()
        if text.first == "," {
            text.removeFirst()
        } else if text.first != end {
            throw YAMLError(line: line, reason: "expected `,` or `\(end)`")
        }
    }

    private mutating func quoted() throws(YAMLError) -> String {
        let quote = text.removeFirst()
        var value = ""
        while let character = text.popFirst() {
            if character == quote {
                guard quote == "'", text.first == "'" else { return value }
                text.removeFirst()
                value.append("'")
            } else if character == "\\", quote == "\"" {
                value.append(try escaped())
            } else {
                value.append(character)
            }
        }
        throw YAMLError(line: line, reason: "a quote is not closed")
    }

    private mutating func escaped() throws(YAMLError) -> Character {
        switch text.popFirst() {
        case "n": return "\n"
        case "t": return "\t"
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        default: throw YAMLError(line: line, reason: "an escape that is not read here")
        }
    }

    private mutating func skipSpaces() {
        text = text.drop { $0 == " " }
    }

    private mutating func take(while condition: (Character) -> Bool) -> Substring {
        var taken = text.prefix(while: condition)
        text = text[taken.endIndex...]
        while taken.last == " " { taken.removeLast() }
        return taken
    }

    private static func plain(_ text: Substring) -> YAML.Value {
        switch text {
        case "", "~", "null": .null
        case "true": .bool(true)
        case "false": .bool(false)
        default:
            if let int = Int(text) {
                .int(int)
            } else if text.first?.isNumber == true || text.first == "-", let double = Double(text) {
                .double(double)
            } else {
                .string(String(text))
            }
        }
    }
}
