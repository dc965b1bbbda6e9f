@testable import Gateway

/// The keywords of JSON Schema that the API documents use, other than formats.
struct JSONSchema {
    let components: Components

    /// What is wrong with a value, with the path of each fault; empty if it is valid.
    func faults(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        let schema = components.resolved(schema)
        return type(value, schema, path) + choices(value, schema, path) + members(value, schema, path)
            + elements(value, schema, path) + limits(value, schema, path)
    }

    private func type(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        let types = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) }
        guard let types, !types.contains(where: { Self.has(value, type: $0) }) else { return [] }
        return ["\(path) is no \(types.joined(separator: " or "))"]
    }

    private static func has(_ value: JSONValue, type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .int), ("number", .int), ("number", .double),
            ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }

    private func choices(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        var faults: [String] = []
        if let values = schema["enum"]?.elements, !values.contains(value) { faults.append("\(path) is no enum value") }
        if let constant = schema["const"], constant != value { faults.append("\(path) is not the constant") }
        for part in schema["allOf"]?.elements ?? [] { faults += self.faults(value, part, at: path) }
        for (name, most) in [("anyOf", Int.max), ("oneOf", 1)] {
            guard let parts = schema[name]?.elements else { continue }
            let fitting = parts.count { self.faults(value, $0, at: path).isEmpty }
            if fitting < 1 || fitting > most { faults.append("\(path) fits \(fitting) of \(name)") }
        }
        return faults
    }

    private func members(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        guard case .object(let members) = value else { return [] }
        let required = (schema["required"]?.elements ?? []).compactMap(\.text)
        let missing = required.filter { members[$0] == nil }.map { "\(path).\($0) is missing" }
        let properties = schema["properties"]?.members ?? [:]
        return missing
            + members.sorted { $0.key < $1.key }.flatMap { name, member -> [String] in
                if let property = properties[name] { return faults(member, property, at: "\(path).\(name)") }
                switch schema["additionalProperties"] {
                case nil, .bool(true): return []
                case .bool(false): return ["\(path).\(name) is not described"]
                case let other?: return faults(member, other, at: "\(path).\(name)")
                }
            }
    }

    private func elements(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        guard case .array(let elements) = value, let items = schema["items"] else { return [] }
        return elements.enumerated().flatMap { faults($1, items, at: "\(path)[\($0)]") }
    }

    /// Lengths are not checked: examples have neither long lists nor long texts.
    private func limits(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        var faults: [String] = []
        if let number = value.number {
            if let least = schema["minimum"]?.number, number < least { faults.append("\(path) is below \(least)") }
            if let most = schema["maximum"]?.number, number > most { faults.append("\(path) is above \(most)") }
        }
        if let text = value.text, let pattern = schema["pattern"]?.text, !text.hasSuffix("…") {
            let isMatched = (try? Regex(pattern).firstMatch(in: text)) != nil
            if !isMatched { faults.append("\(path) does not match \(pattern)") }
        }
        return faults
    }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
