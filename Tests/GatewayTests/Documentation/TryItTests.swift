import Apps
import Contracts
import FoundationEssentials
import NIOCore
import ServiceKit
import Testing

@testable import Gateway

struct TryItTests {
    @Test func tryIt_isForDevelopmentOnly() {
        var configuration = GatewayConfiguration()
        #expect(TryIt(configuration) != nil)
        configuration.environment = .production
        #expect(TryIt(configuration) == nil)
    }

    /// The console sends calls by these.
    @Test func sessionAndExamples_areDocuments_inDevelopment() throws {
        var configuration = GatewayConfiguration()
        let pages = Documentation([:], tryIt: TryIt(configuration))
        let session = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(pages.page("moup.session.json").body.readableBytesView)
        )
        #expect(session["persons"]?.elements.isEmpty == false)
        let calls = try JSONDecoder().decode(
            JSONValue.self,
            from: Data(pages.page("moup.examples.json").body.readableBytesView)
        )
        #expect(calls["POST /routines"]?["path"]?.text == "/routines")
        configuration.environment = .production
        let others = Documentation([:], tryIt: TryIt(configuration))
        #expect([others.page("moup.session.json"), others.page("moup.examples.json")].map(\.status) == [404, 404])
    }

    @Test(arguments: App.allCases)
    func persons_signInByTheirAppsCalls(_ app: App) throws {
        var configuration = GatewayConfiguration()
        configuration.appKeys = ["a-key": .anlaka, "c-key": .culture]
        let session = try #require(TryIt(configuration)).session(of: app)
        #expect(!session.persons.isEmpty)
        #expect(session.scheme == (app.hasKey ? "" : "Bearer ") && session.headers.isEmpty == !app.hasKey)
        let document = ServiceDocuments.of(app)
        let components = Components(document: document)
        for person in session.persons {
            let operation = try #require(
                APIOperation.all(in: document).first { $0.key == "\(person.method) \(person.path)" }
            )
            let body = try JSONDecoder().decode(JSONValue.self, from: Data(person.body.utf8))
            guard let reference = operation.details["requestBody"] else { continue }
            let schema = try #require(Components.contents(components.resolved(reference)).first?.schema)
            #expect(JSONSchema(components: components).faults(body, schema) == [])
        }
    }

    @Test func call_hasTheValuesOfTheExample() throws {
        let document = ServiceDocuments.of(.seatcatcher)
        let operation = try #require(APIOperation.all(in: document).first { $0.key == "GET /stations" })
        let request = Example.Request(path: "/stations?keyword=%EA%B0%95%EB%82%A8")
        let example = Example(request: request, response: .init(status: 200))
        let call = TryItCall(operation, Components(document: document), example)
        let keyword = try #require(call.parameters.first { $0.name == "keyword" })
        #expect(keyword.value == "강남" && keyword.place == "query" && call.type == nil)
    }

    @Test func forms_haveFiles() throws {
        let document = ServiceDocuments.of(.anlaka)
        let operation = try #require(APIOperation.all(in: document).first { $0.key == "POST /v1/posts/files" })
        let call = TryItCall(operation, Components(document: document), nil)
        #expect(call.type == "multipart/form-data" && call.fields.map(\.place) == ["file"])
    }
}
