import Contracts
import FoundationEssentials

@testable import Gateway
@testable import YAMLToJSON

/// The API documents of the services, as they ship.
enum ServiceDocuments {
    static let all = ServiceName.allCases.reduce(into: [ServiceName: JSONValue]()) { $0[$1] = try? document(of: $1) }

    /// The document of an app.
    static func of(_ app: App) -> JSONValue { APIDocument(all, of: app).json }

    private static let services = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "services")

    private static func document(of service: ServiceName) throws -> JSONValue {
        let file = services.appending(path: "\(service.rawValue.capitalized)/openapi.yaml")
        let yaml = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return try JSONDecoder().decode(JSONValue.self, from: Data(JSONDocument(yaml: yaml).text.utf8))
    }
}
