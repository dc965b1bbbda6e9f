/// An operation as the page's script sends it, with the values of its example.
struct TryItCall: Encodable {
    var method: String
    var path: String
    var parameters: [Field]
    /// The media type of the body; nil without one.
    var type: String?
    /// The fields of a form.
    var fields: [Field] = []
    /// The text of a body that is no form.
    var body = ""

    /// A value that the person types in, or a file.
    struct Field: Encodable {
        var name: String
        /// `path`, `query`, `header`, `form` or `file`.
        var place: String
        var isRequired: Bool
        /// The value of the example; empty without one.
        var value: String
    }

    init(_ operation: APIOperation, _ components: Components, _ example: Example?) {
        method = operation.method
        path = operation.path
        parameters = Self.parameters(operation, components, ExampleValues(operation, example))
        let body = operation.details["requestBody"].map(components.resolved)
        guard let content = body.flatMap({ Components.contents($0).first }) else { return }
        type = content.type
        if content.type == "application/json" {
            self.body = example?.request.body.map { JSONMarkup.text($0) } ?? ""
        } else {
            fields = Self.fields(components.resolved(content.schema), components)
        }
    }

    /// Scripts cannot set the Cookie field (the Fetch standard's forbidden request headers).
    private static func parameters(
        _ operation: APIOperation,
        _ components: Components,
        _ values: ExampleValues
    ) -> [Field] {
        operation.parameters.map(components.resolved).compactMap { parameter in
            guard let name = parameter["name"]?.text, let place = parameter["in"]?.text, place != "cookie" else {
                return nil
            }
            return Field(
                name: name,
                place: place,
                isRequired: parameter["required"] == .bool(true),
                value: values.value(of: name, in: place)
            )
        }
    }

    private static func fields(_ form: JSONValue, _ components: Components) -> [Field] {
        let required = (form["required"]?.elements ?? []).compactMap(\.text)
        return (form["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.map { name, member in
            let member = components.resolved(member)
            let isFile = [member, components.resolved(member["items"] ?? .null)].contains { schema in
                schema["contentMediaType"] != nil || schema["format"]?.text == "binary"
            }
            return Field(name: name, place: isFile ? "file" : "form", isRequired: required.contains(name), value: "")
        }
    }
}
