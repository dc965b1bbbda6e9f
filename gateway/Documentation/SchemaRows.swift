/// The members of a JSON Schema as rows of a table, the members of members below them.
struct SchemaRows {
    let components: Components

    struct Row: Equatable {
        var name: String
        var type: String
        var isRequired: Bool
        /// The description, and what values are allowed.
        var notes: [String]
        /// 0 for the members of the schema itself.
        var depth: Int
    }

    private static let depthLimit = 6

    /// The rows of a schema; none for one that has no members.
    func rows(_ schema: JSONValue) -> [Row] {
        rows(schema, depth: 0, inside: [])
    }

    private func rows(_ schema: JSONValue, depth: Int, inside outer: Set<String>) -> [Row] {
        guard depth < Self.depthLimit else { return [] }
        var outer = outer
        if let reference = schema["$ref"]?.text, !outer.insert(reference).inserted { return [] }
        let schema = merged(schema)
        if let items = schema["items"] { return rows(items, depth: depth, inside: outer) }
        let choices = choices(schema)
        if choices.count == 1, schema["properties"] == nil { return rows(choices[0], depth: depth, inside: outer) }
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        let members = (schema["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { name, member in
            let row = Row(
                name: name,
                type: type(member),
                isRequired: required.contains(name),
                notes: notes(member),
                depth: depth
            )
            return [row] + rows(member, depth: depth + 1, inside: outer)
        }
        let alternatives = choices.enumerated().flatMap { index, choice -> [Row] in
            let nested = rows(choice, depth: depth + 1, inside: outer)
            guard !nested.isEmpty else { return [] }
            let name = Components.name(choice) ?? "choice \(index + 1)"
            return [Row(name: "either \(name)", type: "", isRequired: false, notes: [], depth: depth)]
                + nested
        }
        return members + alternatives
    }

    /// The type in words: `array of string or null`.
    func type(_ schema: JSONValue) -> String {
        let name = Components.name(schema)
        let schema = merged(schema)
        let choices = choices(schema)
        if !choices.isEmpty, schema["properties"] == nil {
            let names = choices.map(type)
            return (names + (isNullable(schema) ? ["null"] : [])).uniqued().joined(separator: " or ")
        }
        let names: [String] =
            switch schema["type"] {
            case .string(let type): [type]
            case .array(let types): types.compactMap(\.text)
            default: schema["properties"] != nil ? ["object"] : []
            }
        guard !names.isEmpty else { return schema["const"].map { "always \($0.compact)" } ?? name ?? "any" }
        return names.map { type in
            switch type {
            case "array": return "array of \(self.type(schema["items"] ?? .null))"
            case "object": return name ?? "object"
            case "string" where schema["contentMediaType"] != nil: return "file"
            default: return schema["format"]?.text.map { "\(type) (\($0))" } ?? type
            }
        }.joined(separator: " or ")
    }

    /// The description and the limits of a value.
    func notes(_ schema: JSONValue) -> [String] {
        let outer = schema
        let schema = merged(schema)
        var notes = [outer["description"]?.text ?? schema["description"]?.text].compactMap(\.self)
        let values = schema["enum"] ?? schema["items"].map(merged)?["enum"]
        if let values { notes.append("One of " + values.elements.map(\.compact).joined(separator: ", ") + ".") }
        if let value = schema["const"], schema["type"] != nil { notes.append("Always \(value.compact).") }
        notes += range(schema, "minimum", "maximum", "")
        notes += range(schema, "minLength", "maxLength", " characters")
        notes += range(schema, "minItems", "maxItems", " elements")
        if let pattern = schema["pattern"]?.text { notes.append("Matches \(pattern)") }
        if let value = schema["default"] { notes.append("\(value.compact) by default.") }
        return notes
    }

    private func range(_ schema: JSONValue, _ least: String, _ most: String, _ unit: String) -> [String] {
        switch (schema[least]?.compact, schema[most]?.compact) {
        case (let least?, let most?): ["\(least) to \(most)\(unit)."]
        case (let least?, nil): ["At least \(least)\(unit)."]
        case (nil, let most?): ["At most \(most)\(unit)."]
        default: []
        }
    }

    /// The choices of `oneOf` or `anyOf` that are not null.
    private func choices(_ schema: JSONValue) -> [JSONValue] {
        (schema["oneOf"]?.elements ?? schema["anyOf"]?.elements ?? []).filter { $0["type"]?.text != "null" }
    }

    private func isNullable(_ schema: JSONValue) -> Bool {
        (schema["oneOf"]?.elements ?? schema["anyOf"]?.elements ?? []).contains { $0["type"]?.text == "null" }
    }

    /// The schema that a reference names, with the members of the parts of `allOf`.
    private func merged(_ schema: JSONValue) -> JSONValue {
        let schema = components.resolved(schema)
        guard let parts = schema["allOf"]?.elements else { return schema }
        var whole = schema.members
        whole["allOf"] = nil
        for part in parts {
            whole.merge(merged(part).members) { own, other in
                switch (own, other) {
                case (.object(let own), .object(let other)): .object(own.merging(other) { own, _ in own })
                case (.array(let own), .array(let other)): .array(own + other)
                default: own
                }
            }
        }
        return .object(whole)
    }
}

extension [String] {
    fileprivate func uniqued() -> [String] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
