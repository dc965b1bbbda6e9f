import Contracts
import Testing

@testable import Gateway

struct ExampleTests {
    @Test(arguments: App.allCases)
    func examples_areValidByTheDocument(_ app: App) throws {
        let document = ServiceDocuments.of(app)
        let components = Components(document: document)
        let schema = JSONSchema(components: components)
        let operations = Dictionary(uniqueKeysWithValues: APIOperation.all(in: document).map { ($0.key, $0) })
        for (key, example) in Examples.of(app).sorted(by: { $0.key < $1.key }) {
            let operation = try #require(operations[key], "\(key) is not in the document")
            let body = operation.details["requestBody"].map { Components.contents(components.resolved($0)) } ?? []
            if let sent = example.request.body, let json = body.first(where: { $0.type == "application/json" }) {
                #expect(schema.faults(sent, json.schema) == [], "the request of \(key)")
            }
            let response = operation.responses.first { $0.status == String(example.response.status) }?.response
            let described = components.resolved(try #require(response, "\(key) answers another status"))
            let contents = Components.contents(described)
            guard let returned = example.response.body else { continue }
            let json = try #require(contents.first { $0.type == "application/json" }, "\(key) has no JSON")
            #expect(schema.faults(returned, json.schema) == [], "the response of \(key)")
        }
    }

    @Test(arguments: App.allCases)
    func mostOperations_haveAnExample(_ app: App) {
        let keys = APIOperation.all(in: ServiceDocuments.of(app)).map(\.key)
        let without = keys.filter { Examples.of(app)[$0] == nil }
        #expect(Double(without.count) / Double(keys.count) <= 0.05, "\(without)")
    }
}
