/// Parses mappings and sequences by indentation.
struct YAMLBlockParser {
    var lines: ArraySlice<YAMLLine>

    mutating func block(indent: Int) throws(YAMLError) -> YAML.Value {
        guard let first = lines.first, first.indent >= indent else { return .null }
        if first.text == "-" || first.text.hasPrefix("- ") { return try sequence(indent: first.indent) }
        if Self.splitKey(first.text) != nil { return try mapping(indent: first.indent) }
        lines.removeFirst()
        return try scalar(first.text, line: first.number)
    }

    private mutating func sequence(indent: Int) throws(YAMLError) -> YAML.Value {
        var items: [YAML.Value] = []
        while var line = lines.first, line.indent == indent, line.text == "-" || line.text.hasPrefix("- ") {
            let rest = line.text.dropFirst().drop { $0 == " " }
            lines.removeFirst()
            if !rest.isEmpty {
                line.indent += line.text.count - rest.count
                line.text = rest
                lines = [line] + lines
            }
            items.append(try block(indent: indent + 1))
        }
        return .sequence(items)
    }

    private mutating func mapping(indent: Int) throws(YAMLError) -> YAML.Value {
        var pairs: [YAML.Value.Pair] = []
        while let line = lines.first, line.indent == indent {
            guard let (key, rest) = Self.splitKey(line.text) else {
                throw YAMLError(line: line.number, reason: "expected `key: value`")
            }
            guard !pairs.contains(where: { $0.key == key }) else {
                throw YAMLError(line: line.number, reason: "`\(key)` stands twice")
            }
            lines.removeFirst()
            let value = rest.isEmpty ? try nested(below: indent) : try scalar(rest, line: line.number)
            pairs.append(.init(key: key, value: value))
        }
        return .mapping(pairs)
    }

    /// Parses a mapping's value on the following lines; a sequence may have the key's own indentation.
    private mutating func nested(below indent: Int) throws(YAMLError) -> YAML.Value {
        guard let next = lines.first else { return .null }
        if next.indent == indent, next.text.hasPrefix("-") { return try sequence(indent: indent) }
        return try block(indent: indent + 1)
    }

    private func scalar(_ text: Substring, line: Int) throws(YAMLError) -> YAML.Value {
        var parser = YAMLFlowParser(text: text, line: line)
        return try parser.document()
    }

    /// Splits `key: rest` or `key:`; nil if the text is not a mapping entry.
    private static func splitKey(_ text: Substring) -> (key: String, rest: Substring)? {
        if let quote = text.first, quote == "\"" || quote == "'" {
            guard let end = text.dropFirst().firstIndex(of: quote) else { return nil }
            let after = text[text.index(after: end)...]
            guard after == ":" || after.hasPrefix(": ") else { return nil }
            return (String(text[text.index(after: text.startIndex)..<end]), after.dropFirst().drop { $0 == " " })
        }
        guard let first = text.first, first != "{", first != "[" else { return nil }
        var index = text.startIndex
        while let colon = text[index...].firstIndex(of: ":") {
            let after = text[text.index(after: colon)...]
            if after.isEmpty || after.first == " " {
                return (String(text[..<colon]), after.drop { $0 == " " })
            }
            index = text.index(after: colon)
        }
        return nil
    }
}
