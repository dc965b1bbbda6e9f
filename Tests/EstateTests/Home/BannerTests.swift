import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .service) struct BannerTests {
    private var world: EstateWorld { .current }

    private struct List: Decodable {
        struct Item: Decodable {
            struct Payload: Decodable {
                var type: String
                var value: String
            }

            var name: String
            var imageUrl: String
            var payload: Payload
        }

        var data: [Item]
    }

    @Test(arguments: [
        ("/v1/banners/main", "private, max-age=3600"), ("/v1/estates/today-topic", "private, no-cache"),
        ("/v1/estates/clusters?zoom=11&bbox=126.8,37.4,127.2,37.7", "private, no-cache"),
    ])
    func catalogues_areKeptByClients(path: String, cacheControl: String) async throws {
        let id = try await world.list(9, .at(37.5446, 126.958))
        let answer = try await world.client(1).catalogue(path)
        #expect(answer.status == .ok && answer.statusWithTag == .notModified && answer.cacheControl == cacheControl)
        // Likes are a person's own.
        let like = try await world.client(2).send(.post, "/v1/estates/\(id)/like", json: #"{"like_status":true}"#)
        #expect(like.status == .ok)
        #expect(try await world.client(2).catalogue(path) == answer)
    }

    @Test func banners_arePublicWithPictures() async throws {
        let list = try await world.client(1).send(.get, "/v1/banners/main").json(List.self)
        #expect(list.data.count >= 2)
        #expect(Set(list.data.map(\.imageUrl)).count == list.data.count)
        for banner in list.data {
            #expect(banner.payload.type == "WEBVIEW" && banner.payload.value == "/event-application")
            #expect(!banner.name.isEmpty && banner.imageUrl.hasPrefix("/data/banners/"))
            // The picture needs only the app's key.
            let anonymous = ServiceClient(world.client, to: .estate, app: .anlaka)
            let answer = try await anonymous.send(.get, "/v1\(banner.imageUrl)", headers: [.range: "bytes=0-3"])
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "image/png")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.cacheControl]?.contains("max-age=31536000") == true)
            let bytes = Array(answer.body.readableBytesView)
            #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            #expect(bytes.suffix(8).prefix(4) == Array("IEND".utf8).prefix(4), "whole")
            #expect(bytes.count < 20_000)
        }
    }

    @Test(arguments: ["x.png", "attendance", "attendance.jpg", "..%2Fattendance.png", "%00"])
    func missingBanner_returns404(name: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/data/banners/\(name)")
        #expect(answer.status == .notFound)
    }
}
