/// A JSON object as Google's APIs read one (protocol buffers' JSON): its fields are known by name, in either spelling
/// (`validate_only`, `validateOnly`), and `null` is as good as nothing.
struct FCMFields: Sendable {
    /// Where the object stands in the body: `message.apns`; empty for the body itself.
    let path: String
    /// By their names in protocol buffers, with underscores.
    private var values: [String: JSONTree] = [:]

    /// - Parameter names: the fields that there are, with underscores.
    /// - Throws: `FCMError` for what is no object, for a field that there is not, or one in both spellings.
    init(_ tree: JSONTree, at path: String = "", knowing names: Set<String>) throws(FCMError) {
        self.path = path
        guard case .object(let members) = tree else { throw Self.wrongType(path, "an object") }
        for (spelling, value) in members where value != .null {
            let name = Self.underscored(spelling)
            let place = path.isEmpty ? "" : " at '\(path)'"
            guard names.contains(name) else {
                let description =
                    "Invalid JSON payload received. Unknown name \"\(spelling)\"\(place): Cannot find field."
                throw .unreadable(path, description)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .unreadable(field(name), "Invalid value\(place): field '\(name)' is already set.")
            }
        }
    }

    /// Which of some fields are there, in the order of their names.
    func present(of names: [String]) -> [String] { names.filter { values[$0] != nil }.sorted() }

    func text(_ name: String) throws(FCMError) -> String? {
        guard let value = values[name] else { return nil }
        guard case .text(let text) = value else { throw Self.wrongType(field(name), "a string") }
        return text
    }

    /// Off when it is absent.
    func flag(_ name: String) throws(FCMError) -> Bool {
        guard let value = values[name] else { return false }
        guard case .flag(let flag) = value else { throw Self.wrongType(field(name), "true or false") }
        return flag
    }

    /// Any object.
    func object(_ name: String) throws(FCMError) -> JSONTree? {
        guard let value = values[name] else { return nil }
        guard case .object = value else { throw Self.wrongType(field(name), "an object") }
        return value
    }

    /// An object with fields of its own.
    func fields(_ name: String, knowing names: Set<String>) throws(FCMError) -> FCMFields? {
        guard let value = values[name] else { return nil }
        return try FCMFields(value, at: field(name), knowing: names)
    }

    /// Texts by any name.
    func texts(_ name: String) throws(FCMError) -> [String: String] {
        guard case .object(let members) = try object(name) else { return [:] }
        var texts: [String: String] = [:]
        for (key, value) in members {
            guard case .text(let text) = value else { throw Self.wrongType("\(field(name)).\(key)", "a string") }
            texts[key] = text
        }
        return texts
    }

    /// Where a field stands in the body.
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
