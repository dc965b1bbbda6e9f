import Contracts
import FoundationEssentials
import Testing

@testable import Gateway

struct AppPageTests {
    private static func tryIt() -> TryIt? {
        var configuration = GatewayConfiguration()
        configuration.appKeys = ["a-key": .anlaka, "c-key": .culture]
        return TryIt(configuration)
    }

    private static func page(_ app: App, _ document: JSONValue, missing: [ServiceName] = []) -> String {
        AppPage(app: app, document: document, missing: missing, tryIt: tryIt()).html.text
    }

    @Test(arguments: App.allCases)
    func page_hasEachOperation_once(_ app: App) {
        let document = ServiceDocuments.of(app)
        let page = Self.page(app, document)
        let operations = APIOperation.all(in: document)
        #expect(operations.count > 50)
        for operation in operations {
            let parts = page.components(separatedBy: "<article class=\"operation\" id=\"\(operation.name)\"")
            #expect(parts.count == 2, "\(operation.key)")
            #expect(parts.last?.contains("\"method \(operation.method.lowercased())\">\(operation.method)<") == true)
        }
        #expect(page.components(separatedBy: "data-call=").count - 1 == operations.count)
        #expect(!page.contains("<script>") && !page.contains("style=\"") && !page.contains(" onclick"))
    }

    @Test func hostileTexts_areEscaped() throws {
        let evil = #"</p><script>alert(1)</script><img src=x onerror='y'>\"{{nonce}}"#
        let document = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(
                """
                {"paths": {"/\(evil)/{\(evil)}": {"get": {
                    "operationId": "\(evil)", "summary": "\(evil)", "description": "\(evil)", "security": [{"\(evil)": []}],
                    "parameters": [{"name": "\(evil)", "in": "\(evil)", "description": "\(evil)", "schema": {"type": "\(evil)",
                        "enum": ["\(evil)"], "pattern": "\(evil)", "default": "\(evil)"}}],
                    "requestBody": {"description": "\(evil)", "content": {"\(evil)": {"schema": {"properties": {"\(evil)": {"format": "\(evil)", "type": "string"}}}}}},
                    "responses": {"200": {"description": "\(evil)", "headers": {"\(evil)": {"description": "\(evil)"}}},
                        "4\(evil)": {"description": "\(evil)", "content": {"x": {"schema": {"$ref": "#/components/schemas/\(evil)"}}}}}}}},
                 "components": {"securitySchemes": {"\(evil)": {"type": "apiKey", "name": "\(evil)", "in": "\(evil)"}}}}
                """.utf8
            )
        )
        let page = Self.page(.moup, document)
        #expect(!page.contains("<script>alert") && !page.contains("<img") && !page.contains("onerror='"))
        #expect(page.contains("&#60;script&#62;alert(1)"))
    }

    @Test func missingServices_areNamedWithTheirOperations() {
        let all = ServiceDocuments.all.filter { $0.key != .workforce }
        let page = Self.page(.moup, APIDocument(all, of: .moup).json, missing: [.workforce])
        #expect(page.contains("<b>workforce</b>: ") && page.contains("listWorkplaces"))
        #expect(!page.contains("id=\"listWorkplaces\""))
        #expect(!Self.page(.moup, ServiceDocuments.of(.moup)).contains("role=\"status\""))
    }

    @Test func withoutTryIt_pageHasNoCalls() {
        let page = AppPage(app: .anlaka, document: ServiceDocuments.of(.anlaka), missing: [], tryIt: nil).html.text
        for part in ["try.js", "data-call", "data-session", "a-key", "madang@example.com"] {
            #expect(!page.contains(part), "\(part)")
            #expect(part == "try.js" || Self.page(.anlaka, ServiceDocuments.of(.anlaka)).contains(part), "\(part)")
        }
    }
}
