import Contracts
import FoundationEssentials
import NIOCore
import PostgresServer
import TestKit
import Testing

@testable import Gateway

struct APIDocumentTests {
    private func json(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test func documents_areMergedWithPrefixedSchemas() throws {
        let auth = try json(
            """
            {"paths": {"/a": {"get": {"x": {"$ref": "#/components/schemas/Thing"}, "security": [{"key": []}]}}},
             "components": {"schemas": {"Thing": {"items": {"$ref": "#/components/schemas/Part"}}, "Part": {"n": 1.5}}}}
            """
        )
        let seats = try json(
            """
            {"paths": {"/a": {"post": {"y": [{"$ref": "#/components/schemas/Thing/deep"}, {"$ref": "x.json"}]}}},
             "components": {"schemas": {"Thing": {"type": "string", "nullable": true, "example": null}}}}
            """
        )
        let whole = APIDocument([.auth: auth, .seats: seats])
        let expected = try json(
            """
            {"/a": {"get": {"x": {"$ref": "#/components/schemas/auth.Thing"}, "security": [{"auth.key": []}]},
                    "post": {"y": [{"$ref": "#/components/schemas/seats.Thing/deep"}, {"$ref": "x.json"}]}}}
            """
        )
        #expect(whole.json["paths"] == expected)
        let schemas = try #require(whole.json["components"]?["schemas"])
        #expect(Set(schemas.members.keys) == ["auth.Thing", "auth.Part", "seats.Thing"])
        #expect(schemas["auth.Thing"] == (try json(##"{"items": {"$ref": "#/components/schemas/auth.Part"}}"##)))
        #expect(schemas["auth.Part"]?["n"] == .double(1.5))
        #expect(schemas["seats.Thing"]?["example"] == .null)
        #expect(whole.json["openapi"] == .string("3.1.0"))
    }

    @Test(.timeLimit(.minutes(1))) func document_unavailableService_isOmitted() async throws {
        let seats = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                let isDocument = request.start.hasPrefix("GET /internal/openapi.json ")
                let isCalledByTheGateway = request["x-madang-identity"].first?.hasPrefix("2.gateway.-.-.-.") == true
                let document = isCalledByTheGateway ? #"{"paths":{"/stations":{"get":{}}}}"# : "{}"
                try await connection.send(TestUpstream.ok(isDocument ? document : "ready"))
            }
        }
        try await TestGateway.run([.seats: [seats]], absent: [.auth: try FreePort.find()]) { gateway in
            while true {
                let answer = try #require(await gateway.call("/openapi.json"))
                #expect(answer.status == 200 && answer["content-type"] == ["application/json"])
                let document = try json(answer.body)
                if document["paths"] == (try json(#"{"/stations":{"get":{}}}"#)) { break }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
