import AppClients
import Apps
import NIOHTTP1
import Testing

/// What all callers are answered alike, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct CatalogueTests {
    @Test func regions_areSentCompressed_andOnce() async throws {
        try await Platform.test { platform in
            let client = HTTPTransport(platform.gateway)
            let path = WithSuhyeon().listRegions.path
            let compressed = try await client.send(.get, path, headers: ["Accept-Encoding": "gzip"])
            let tag = try #require(compressed.headers.first(name: "ETag"))
            #expect(compressed.status == 200 && tag.hasPrefix("W/\""))
            #expect(compressed.headers["Vary"] == ["Accept-Encoding"])
            #expect(compressed.headers["Cache-Control"] == ["public, max-age=3600"])
            let plain = try await client.send(.get, path, headers: ["Accept-Encoding": "identity"])
            #expect(plain.headers["ETag"] == [String(tag.dropFirst(2))] && plain.body.contains("전국"))
            #expect(plain.headers["Vary"] == ["Accept-Encoding"] && plain.headers["Content-Encoding"].isEmpty)
            for known in [tag, String(tag.dropFirst(2))] {
                let headers = ["Accept-Encoding": "gzip", "If-None-Match": known]
                let answer = try await client.send(.get, path, headers: headers)
                #expect(answer.status == 304 && answer.body.isEmpty && answer.headers["ETag"] == [known])
            }
        }
    }
}
