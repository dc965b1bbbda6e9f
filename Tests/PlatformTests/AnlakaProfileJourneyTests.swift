import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing

@Suite(.timeLimit(.minutes(8))) struct AnlakaProfileJourneyTests {
    @Test func profileImage_isUploadedAndServed() async throws {
        try await Platform.test { platform in
            let client = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            func upload(_ picture: [UInt8]) async throws -> ClientResponse {
                try await client.send(\.uploadProfileImage, body: .form(MultipartForm().file("profile", picture)))
            }
            let picture = Picture.jpeg(size: 1_048_576)
            let path = try await upload(picture).json().text("profileImage")
            let change: RequestBody = ["introduction": "안녕", "profileImage": "\(path)"]
            #expect(try await client.send(\.updateOwnProfile, body: change).status == 200)
            for headers in [[:], ["Range": "bytes=0-1"], ["If-None-Match": "*"]] {
                let served = try await platform.anlaka.send(.get, "/v1\(path)", headers: headers)
                #expect(served.status == 200)
                #expect(served.bytes == picture)
                #expect(served.headers["content-type"] == ["image/jpeg"])
                #expect(served.headers["x-content-type-options"] == ["nosniff"])
            }
            #expect(try await platform.send(.get, "/v1\(path)").status == 420)
            #expect(try await platform.anlaka.send(\.getProfileImage, "x.jpg").status == 404)
            #expect(try await platform.anlaka.send(.get, "/v1/data/profiles/%2e%2e/x").status == 400)

            for size in [1_048_577, 5_000_000] {
                let refused = try await upload(Picture.jpeg(size: size))
                #expect(refused.status == 400)
                #expect(refused.body.contains("message"))
            }
            // The connection still serves the next request.
            #expect(try await client.send(\.getOwnProfile).json()["profileImage"]?.string == path)
        }
    }

    @Test func userSearch_acceptsClientsOptionalQuery() async throws {
        try await Platform.test { platform in
            let one = try await AnlakaClient(platform, "a@b.kr", nick: "하나")
            let two = try await AnlakaClient(platform, "c@d.kr", nick: "두리")
            let found = try await one.send(\.searchUsers, query: "nick=Optional(%22두리%22)")
            #expect(found.status == 200)
            #expect(found.body.contains(two.id))
            let shown = try await one.send(\.getUserProfile, two.id, query: "id=Optional(%22\(two.id)%22)")
            #expect(shown.status == 200)
            #expect(try shown.value([String: String].self) == ["user_id": two.id, "nick": "두리"])
            #expect(try await platform.anlaka.send(\.getCommon).status == 200)

            #expect(try await one.send(\.signOut).status == 200)
            #expect(try await refusal { try await one.send(\.getOwnProfile) }.status == 401)
        }
    }
}
