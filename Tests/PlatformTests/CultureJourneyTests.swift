import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing

@Suite(.timeLimit(.minutes(8))) struct CultureJourneyTests {
    private func join(_ platform: Platform, _ email: String, nick: String) async throws -> Int {
        let body: RequestBody = ["email": "\(email)", "password": "password", "nick": "\(nick)"]
        return try await platform.culture.send(\.join, body: body).status
    }

    private func signIn(_ platform: Platform, _ email: String) async throws -> CultureClient {
        let client = platform.culture
        try await client.signIn(SeSACAccount(email: email, password: "password"))
        return client
    }

    @Test func member_joinsEditsProfileAndWithdraws() async throws {
        try await Platform.test { platform in
            #expect(try await join(platform, "a@b.kr", nick: "하 루") == 402)
            #expect(try await join(platform, "a@b.kr", nick: "하루") == 200)
            #expect(try await join(platform, "c@d.kr", nick: "하루") == 409)
            let client = try await signIn(platform, "a@b.kr")

            let form = MultipartForm().text("nick", "이틀").file("profile", Picture.jpeg(orientation: 6))
            let changed = try await client.send(\.updateOwnProfile, body: .form(form))
            #expect(changed.status == 200)
            struct Profile: Decodable {
                var nick: String
                var profileImage: String
                var followers: [String], following: [String], posts: [String]
            }
            let profile = try changed.value(Profile.self)
            #expect(profile.nick == "이틀")
            let served = try await client.send(.get, "/v1/\(profile.profileImage)")
            #expect(served.status == 200)
            #expect(served.headers["content-type"] == ["image/jpeg"])
            #expect(!served.body.contains(Picture.place))
            #expect(try await platform.culture.send(.get, "/v1/\(profile.profileImage)").status == 401)
            #expect(try await client.send(\.searchUsers, query: "nick=").body.contains(client.id))
            #expect(try await client.send(\.getUserProfile, "x").status == 410)

            #expect(try await client.send(\.withdrawByGet, headers: ["Sec-Purpose": "prefetch"]).status == 403)
            let left = try await client.send(\.withdrawByGet)
            #expect(left.status == 200)
            #expect(left.headers["cache-control"] == ["no-store"])
            let status = try await refusal { try await client.send(\.getOwnProfile) }.status
            #expect([401, 403].contains(status))
        }
    }

    @Test func concurrentRefreshes_allSucceedAndKeepRefreshToken() async throws {
        try await Platform.test { platform in
            _ = try await join(platform, "a@b.kr", nick: "하루")
            let client = try await signIn(platform, "a@b.kr")
            let answers = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
                for index in 0..<20 {
                    let headers = [index % 2 == 0 ? "Refresh" : "RefreshToken": client.refreshToken]
                    group.addTask { try await client.send(\.refreshTokens, headers: headers) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for answer in answers {
                #expect(answer.status == 200)
                let tokens = try answer.value([String: String].self)
                #expect(Set(tokens.keys) == ["accessToken"])
                let headers = ["Authorization": tokens["accessToken"] ?? ""]
                #expect(try await client.send(\.getOwnProfile, headers: headers).status == 200)
            }
        }
    }
}
