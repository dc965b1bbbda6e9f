import FoundationEssentials

/// JSON with line breaks, in which names, texts and other values are marked.
enum JSONMarkup {
    static func html(_ value: JSONValue, indent: String = "") -> HTML {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { "\(indent)  \(html($0, indent: indent + "  "))" as HTML }
            return "[\n\(joined(lines))\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map { name, value in
                "\(indent)  <span class=\"k\">\"\(name)\"</span>: \(html(value, indent: indent + "  "))" as HTML
            }
            return "{\n\(joined(lines))\n\(indent)}"
        case .array: return "[]"
        case .object: return "{}"
        case .string: return "<span class=\"s\">\(text(value))</span>"
        default: return "<span class=\"n\">\(text(value))</span>"
        }
    }

    /// JSON on one line.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func joined(_ lines: [HTML]) -> HTML {
        lines.dropFirst().reduce(lines[0]) { "\($0),\n\($1)" }
    }
}
