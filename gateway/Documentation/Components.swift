/// The components of an API document, by their references.
struct Components {
    let document: JSONValue

    /// What a reference names, or the value itself. Chains of references end after eight.
    func resolved(_ value: JSONValue) -> JSONValue {
        var value = value
        for _ in 0..<8 {
            guard let reference = value["$ref"]?.text else { break }
            let path = reference.split(separator: "/").dropFirst().map(String.init)
            value = path.reduce(document as JSONValue?) { $0?[$1] } ?? .null
        }
        return value
    }

    /// The name of the component that a reference names, without the prefix of its service; nil for another value.
    static func name(_ value: JSONValue) -> String? {
        guard let reference = value["$ref"]?.text, let last = reference.split(separator: "/").last else { return nil }
        return last.split(separator: ".").last.map(String.init)
    }

    /// The media types of a body with their schemas.
    static func contents(_ body: JSONValue) -> [(type: String, schema: JSONValue)] {
        (body["content"]?.members ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value["schema"] ?? .null) }
    }
}
