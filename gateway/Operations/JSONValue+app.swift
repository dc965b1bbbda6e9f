import Contracts

/// A service's API document, for one app.
extension JSONValue {
    /// The members of a path that are operations (OpenAPI 3.1 §4.8.9).
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    /// The operations of one app with the components that they reference. Operations name their apps as tags.
    func limited(to app: App) -> JSONValue {
        var paths: [String: JSONValue] = [:]
        for (path, item) in self["paths"]?.members ?? [:] {
            let own = item.members.filter { !Self.methods.contains($0.key) || $0.value.isTagged(app) }
            if own.keys.contains(where: Self.methods.contains) { paths[path] = .object(own) }
        }
        return .object(["paths": .object(paths), "components": components(reachedFrom: .object(paths))])
    }

    private func isTagged(_ app: App) -> Bool {
        guard case .array(let tags) = self["tags"] else { return false }
        return tags.contains(.string(app.rawValue))
    }

    /// The components that a part of the document references, and those that these reference.
    private func components(reachedFrom part: JSONValue) -> JSONValue {
        var reached: [String: [String: JSONValue]] = [:]
        var open = part.references
        while let (kind, name) = open.popLast() {
            guard reached[kind]?[name] == nil, let component = self["components"]?[kind]?[name] else { continue }
            reached[kind, default: [:]][name] = component
            open += component.references
        }
        return .object(reached.mapValues(JSONValue.object))
    }

    /// The components that this part references: by `$ref`, and security schemes by their names.
    private var references: [(kind: String, name: String)] {
        switch self {
        case .array(let items): return items.flatMap(\.references)
        case .object(let members):
            return members.flatMap { name, value -> [(kind: String, name: String)] in
                switch (name, value) {
                case ("$ref", .string(let reference)):
                    let parts = reference.split(separator: "/").map(String.init)
                    guard parts.count >= 4, parts[0] == "#", parts[1] == "components" else { return [] }
                    return [(parts[2], parts[3])]
                case ("security", .array(let choices)):
                    return choices.flatMap { $0.members.keys.map { ("securitySchemes", $0) } }
                default: return value.references
                }
            }
        default: return []
        }
    }
}
