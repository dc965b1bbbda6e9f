import Values

/// A JSON object as parsed by Google's APIs (protocol buffers' JSON): known fields in either spelling (`validate_only`,
/// `validateOnly`), with `null` equal to an absent field.
struct FCMFields: Sendable {
    /// The path of the object in the body: `message.apns`; empty for the body itself.
    let path: String
    /// The values by their protocol buffer names, with underscores.
    private var values: [String: JSONTree] = [:]

    /// - Parameter names: The known fields, with underscores.
    /// - Throws: `FCMError` for a value that is not an object, an unknown field, or one in both spellings.
    init(_ tree: JSONTree, at path: String = "", knowing names: Set<String>) throws(FCMError) {
        self.path = path
        guard case .object(let members) = tree else { throw Self.wrongType(path, "an object") }
        for member in members where member.value != .null {
            let spelling = member.name
            let name = Self.underscored(spelling)
            let place = path.isEmpty ? "" : " at '\(path)'"
            guard names.contains(name) else {
                let description =
                    "Invalid JSON payload received. Unknown name \"\(spelling)\"\(place): Cannot find field."
                throw .unreadable(path, description)
            }
            guard values.updateValue(member.value, forKey: name) == nil else {
                throw .unreadable(field(name), "Invalid value\(place): field '\(name)' is already set.")
            }
        }
    }

    /// The names that are present, sorted.
    func present(of names: [String]) -> [String] { names.filter { values[$0] != nil }.sorted() }

    func text(_ name: String) throws(FCMError) -> String? {
        guard let value = values[name] else { return nil }
        guard case .string(let text) = value else { throw Self.wrongType(field(name), "a string") }
        return text
    }

    /// False if absent.
    func flag(_ name: String) throws(FCMError) -> Bool {
        guard let value = values[name] else { return false }
        guard case .bool(let flag) = value else { throw Self.wrongType(field(name), "true or false") }
        return flag
    }

    func object(_ name: String) throws(FCMError) -> JSONTree? {
        guard let value = values[name] else { return nil }
        guard case .object = value else { throw Self.wrongType(field(name), "an object") }
        return value
    }

    /// An object with known fields.
    func fields(_ name: String, knowing names: Set<String>) throws(FCMError) -> FCMFields? {
        guard let value = values[name] else { return nil }
        return try FCMFields(value, at: field(name), knowing: names)
    }

    /// Texts by arbitrary names.
    func texts(_ name: String) throws(FCMError) -> [String: String] {
        guard case .object(let members) = try object(name) else { return [:] }
        var texts: [String: String] = [:]
        for member in members {
            guard case .string(let text) = member.value else {
                throw Self.wrongType("\(field(name)).\(member.name)", "a string")
            }
            texts[member.name] = text
        }
        return texts
    }

    /// The path of a field in the body.
    func field(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private static func wrongType(_ field: String, _ type: String) -> FCMError {
        .unreadable(
            field,
            field.isEmpty ? "The body must be \(type)." : "Invalid value at '\(field)': must be \(type)."
        )
    }

    private static func underscored(_ name: String) -> String {
        guard name.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return name }
        return name.reduce(into: "") { result, character in
            result += character.isUppercase ? "_\(character.lowercased())" : String(character)
        }
    }
}
