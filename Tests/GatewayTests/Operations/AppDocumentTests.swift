import Apps
import Contracts
import FoundationEssentials
import Testing

@testable import Gateway

struct AppDocumentTests {
    @Test func limit_keepsTheAppsOperationsAndTheirComponents() throws {
        let document = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(
                """
                {"paths": {
                    "/a": {"parameters": [{"$ref": "#/components/parameters/P"}],
                           "get": {"tags": ["moup"], "security": [{"key": []}], "responses": {"200": {"$ref": "#/components/responses/R"}}},
                           "put": {"tags": ["anlaka"], "responses": {"200": {"$ref": "#/components/responses/Other"}}}},
                    "/b": {"get": {"tags": ["anlaka", "moup"], "responses": {}}},
                    "/c": {"get": {"tags": ["anlaka"], "responses": {}}, "parameters": []}},
                 "components": {
                    "parameters": {"P": {}}, "securitySchemes": {"key": {}, "unused": {}},
                    "responses": {"R": {"content": {"$ref": "#/components/schemas/Loop"}}, "Other": {}},
                    "schemas": {"Loop": {"items": {"$ref": "#/components/schemas/Loop"}}, "Unused": {}}}}
                """.utf8
            )
        )
        let own = document.limited(to: .moup)
        #expect(Set(own["paths"]?.members.keys.map { $0 } ?? []) == ["/a", "/b"])
        #expect(Set(own["paths"]?["/a"]?.members.keys.map { $0 } ?? []) == ["parameters", "get"])
        let kept = (own["components"]?.members ?? [:]).flatMap { kind, parts in
            parts.members.keys.map { "\(kind) \($0)" }
        }
        #expect(Set(kept) == ["parameters P", "securitySchemes key", "responses R", "schemas Loop"])
    }

    @Test(arguments: App.allCases)
    func document_hasTheOperationsOfTheCatalogue(_ app: App) throws {
        let catalogue = try #require(AppCatalogues.all.first { $0.app == app })
        let declared = catalogue.operations.map(\.operation).filter { !$0.isWebSocket }
        let documented = APIOperation.all(in: ServiceDocuments.of(app)).map(\.key)
        #expect(documented.sorted() == declared.map { "\($0.method.rawValue) \($0.path)" }.sorted())
    }

    @Test(arguments: App.allCases)
    func document_hasTheComponentsThatItReferences(_ app: App) {
        let document = ServiceDocuments.of(app)
        let named = Set(Self.references(in: document))
        let present = (document["components"]?.members ?? [:]).flatMap { kind, parts in
            parts.members.keys.map { "#/components/\(kind)/\($0)" }
        }
        #expect(named == Set(present.filter { !$0.hasPrefix("#/components/securitySchemes/") }))
        #expect(document["openapi"] == .string("3.1.0") && document["info"]?["title"] == .string(app.title))
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .array(let items): items.flatMap(references)
        case .object(let members): members.flatMap { $0 == "$ref" ? [$1.text ?? ""] : references(in: $1) }
        default: []
        }
    }
}
