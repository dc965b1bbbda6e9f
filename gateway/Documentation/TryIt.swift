import Apps
import Contracts
import FoundationEssentials
import ServiceKit

/// What a page needs to send calls: whom it can sign in, and the app's key. It exists in development only.
struct TryIt: Sendable {
    /// A key of each app that has one.
    let keys: [App: String]

    /// - Returns: nil in production.
    init?(_ configuration: GatewayConfiguration) {
        guard configuration.environment == .development else { return nil }
        keys = Dictionary(configuration.appKeys.sorted { $0.key > $1.key }.map { ($0.value, $0.key) }) { $1 }
    }

    /// How the page's script sends an app's calls.
    struct Session: Encodable {
        /// Sent with each call.
        var headers: [String: String]
        /// Precedes the access token in `Authorization`.
        var scheme: String
        var persons: [Person]
    }

    /// A person of the initial data, with the call that signs them in.
    struct Person: Encodable {
        var name: String
        var method: String
        var path: String
        var headers: [String: String]
        var body: String
    }

    func session(of app: App) -> Session {
        Session(
            headers: keys[app].map { ["SeSACKey": $0] } ?? [:],
            scheme: app.hasKey ? "" : "Bearer ",
            persons: SeededPerson.all(of: app).map { person in
                Person(
                    name: person.name,
                    method: person.signIn.method.rawValue,
                    path: person.signIn.path,
                    headers: person.headers,
                    body: person.body
                )
            }
        )
    }

    /// A call as the page's script sends it.
    struct Call: Encodable {
        var method: String
        var path: String
        var parameters: [Field]
        /// The media type of the body; nil without one.
        var type: String?
        /// The fields of a form; the text of another body is in `body`.
        var fields: [Field]
        var body: String
    }

    /// A value that the person types in, or a file.
    struct Field: Encodable {
        var name: String
        /// `path`, `query`, `header`, `form` or `file`.
        var place: String
        var isRequired: Bool
        /// The value of the example; empty without one.
        var value: String
    }

    static func call(_ operation: APIOperation, _ components: Components, _ example: Example?) -> Call {
        let values = ExampleValues(operation, example)
        let content = operation.details["requestBody"].flatMap { Components.contents(components.resolved($0)).first }
        let isForm = content.map { $0.type != "application/json" } ?? false
        let schema = content.map { components.resolved($0.schema) } ?? .null
        let required = (schema["required"]?.elements ?? []).compactMap(\.text)
        return Call(
            method: operation.method,
            path: operation.path,
            parameters: operation.parameters.map(components.resolved).compactMap { parameter in
                guard let name = parameter["name"]?.text, let place = parameter["in"]?.text, place != "cookie" else {
                    return nil
                }
                return Field(
                    name: name,
                    place: place,
                    isRequired: parameter["required"] == .bool(true),
                    value: values.value(of: name, in: place)
                )
            },
            type: content?.type,
            fields: !isForm
                ? []
                : (schema["properties"]?.members ?? [:]).sorted { $0.key < $1.key }.map { name, member in
                    let member = components.resolved(member)
                    let isFile = [member, components.resolved(member["items"] ?? .null)]
                        .contains { $0["contentMediaType"] != nil || $0["format"]?.text == "binary" }
                    return Field(
                        name: name,
                        place: isFile ? "file" : "form",
                        isRequired: required.contains(name),
                        value: ""
                    )
                },
            body: isForm ? "" : example?.request.body.map(JSONMarkup.text) ?? ""
        )
    }

    /// JSON for an attribute of a page.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
