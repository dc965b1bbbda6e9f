import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct AnlakaProfileJourneyTests {
    private let key = "anlaka-dev-key"
    private let me = "/v1/users/me/profile"

    private struct Member: Decodable {
        var id: String
        var accessToken: String

        enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case accessToken
        }
    }

    private func join(_ platform: Platform, _ email: String, nick: String) async throws -> Member {
        let body = #"{"email":"\#(email)","password":"abcd123!","nick":"\#(nick)"}"#
        return try await platform.send(.POST, "/v1/users/join", key: key, json: body).value(Member.self)
    }

    @Test func profileImage_isUploadedAndServed() async throws {
        try await Platform.test { platform in
            let token = try await join(platform, "a@b.kr", nick: "하루").accessToken
            let picture = Picture.jpeg(size: 1_048_576)
            let form = MultipartForm().file("profile", picture)
            let uploaded = try await platform.send(
                .POST,
                "/v1/users/profile/image",
                key: key,
                token: token,
                form: form
            )
            #expect(uploaded.status == 200)
            let path = try uploaded.value([String: String].self)["profileImage"] ?? ""
            let changed = try await platform.send(
                .PUT,
                me,
                key: key,
                token: token,
                json: #"{"introduction":"안녕","profileImage":"\#(path)"}"#
            )
            #expect(changed.status == 200)
            for headers in [[:], ["range": "bytes=0-1"], ["if-none-match": "*"]] {
                let served = try await platform.send(.GET, "/v1\(path)", key: key, headers: headers)
                #expect(served.status == 200)
                #expect(served.bytes == picture)
                #expect(served.headers["content-type"] == ["image/jpeg"])
                #expect(served.headers["x-content-type-options"] == ["nosniff"])
            }
            #expect(try await platform.send(.GET, "/v1\(path)").status == 420)
            #expect(try await platform.send(.GET, "/v1/data/profiles/x.jpg", key: key).status == 404)
            #expect(try await platform.send(.GET, "/v1/data/profiles/%2e%2e/x", key: key).status == 400)

            for size in [1_048_577, 5_000_000] {
                let large = MultipartForm().file("profile", Picture.jpeg(size: size))
                let refused = try await platform.send(
                    .POST,
                    "/v1/users/profile/image",
                    key: key,
                    token: token,
                    form: large
                )
                #expect(refused.status == 400)
                #expect(refused.body.contains("message"))
            }
            // The connection still serves the next request.
            let shown = try await platform.send(.GET, me, key: key, token: token)
            #expect(try shown.value([String: String].self)["profileImage"] == path)
        }
    }

    @Test func userSearch_acceptsClientsOptionalQuery() async throws {
        try await Platform.test { platform in
            let one = try await join(platform, "a@b.kr", nick: "하나")
            let two = try await join(platform, "c@d.kr", nick: "두리")
            let query = "Optional(%22%EB%91%90%EB%A6%AC%22)"
            let found = try await platform.send(
                .GET,
                "/v1/users/search?nick=\(query)",
                key: key,
                token: one.accessToken
            )
            #expect(found.status == 200)
            #expect(found.body.contains(two.id))
            let shown = try await platform.send(
                .GET,
                "/v1/users/\(two.id)/profile?id=Optional(%22\(two.id)%22)",
                key: key,
                token: one.accessToken
            )
            #expect(shown.status == 200)
            #expect(try shown.value([String: String].self) == ["user_id": two.id, "nick": "두리"])
            #expect(try await platform.send(.GET, "/v1/common", key: key).status == 200)

            let out = try await platform.send(.POST, "/v1/users/logout", key: key, token: one.accessToken)
            #expect(out.status == 200)
            var status = 200
            while status == 200 {
                status = try await platform.send(.GET, me, key: key, token: one.accessToken).status
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(status == 401)
        }
    }
}
