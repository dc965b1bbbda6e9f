import Contracts

/// The API documents (OpenAPI 3) of all services, merged into one.
///
/// Paths are merged, including operations of the same path. Component names are prefixed with the service's name,
/// because two services may use the same name; references are rewritten accordingly.
struct APIDocument {
    private var paths: [String: [String: JSONValue]] = [:]
    private var components: [String: [String: JSONValue]] = [:]
    private var services: [String] = []
    private let title: String

    /// - Parameter app: The app of which only the operations are taken; nil for all.
    init(_ documents: [ServiceName: JSONValue], of app: App? = nil) {
        title = app?.title ?? "Madang"
        for service in ServiceName.ofApps {
            guard let document = documents[service] else { continue }
            add(app.map(document.limited) ?? document, of: service)
        }
    }

    private mutating func add(_ document: JSONValue, of service: ServiceName) {
        if document["paths"]?.members.isEmpty == true { return }
        services.append(service.rawValue)
        let prefix = "\(service.rawValue)."
        for (path, item) in document["paths"]?.members ?? [:] {
            let operations = Self.renamed(item, prefix).members
            paths[path, default: [:]].merge(operations) { known, _ in known }
        }
        for (kind, parts) in document["components"]?.members ?? [:] {
            for (name, part) in parts.members {
                components[kind, default: [:]][prefix + name] = Self.renamed(part, prefix)
            }
        }
    }

    /// The merged document.
    var json: JSONValue {
        .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string(title),
                "version": .string("1"),
                "description": .string("Services: \(services.sorted().joined(separator: ", "))."),
            ]),
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": .object(components.mapValues(JSONValue.object)),
        ])
    }

    /// A part of a document with its references to components renamed.
    private static func renamed(_ value: JSONValue, _ prefix: String) -> JSONValue {
        switch value {
        case .array(let items):
            return .array(items.map { renamed($0, prefix) })
        case .object(let members):
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        switch (name, value) {
                        case ("$ref", .string(let reference)): (name, .string(renamed(reference, prefix)))
                        case ("security", .array(let choices)):
                            (name, .array(choices.map { renamedSchemes($0, prefix) }))
                        default: (name, renamed(value, prefix))
                        }
                    }
                )
            )
        default:
            return value
        }
    }

    /// `#/components/schemas/Seat` becomes `#/components/schemas/seats.Seat`.
    private static func renamed(_ reference: String, _ prefix: String) -> String {
        var parts = reference.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, parts[0] == "#", parts[1] == "components" else { return reference }
        parts[3] = prefix + parts[3]
        return parts.joined(separator: "/")
    }

    /// A security requirement names schemes by its keys.
    private static func renamedSchemes(_ requirement: JSONValue, _ prefix: String) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: requirement.members.map { (prefix + $0, $1) }))
    }
}
