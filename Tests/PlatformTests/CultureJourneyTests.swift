import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct CultureJourneyTests {
    private let key = "culture-dev-key"
    private let me = "/v1/users/me/profile"

    private struct Member: Decodable {
        var id: String
        var accessToken: String
        var refreshToken: String

        enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case accessToken, refreshToken
        }
    }

    private func signIn(_ platform: Platform, _ email: String) async throws -> Member {
        let login = #"{"email":"\#(email)","password":"password"}"#
        return try await platform.send(.POST, "/v1/users/login", key: key, json: login).value(Member.self)
    }

    private func join(_ platform: Platform, _ email: String, nick: String) async throws -> Int {
        let body = #"{"email":"\#(email)","password":"password","nick":"\#(nick)"}"#
        return try await platform.send(.POST, "/v1/users/join", key: key, json: body).status
    }

    @Test func member_joinsEditsProfileAndWithdraws() async throws {
        try await Platform.test { platform in
            #expect(try await join(platform, "a@b.kr", nick: "하 루") == 402)
            #expect(try await join(platform, "a@b.kr", nick: "하루") == 200)
            #expect(try await join(platform, "c@d.kr", nick: "하루") == 409)
            let member = try await signIn(platform, "a@b.kr")
            let token = member.accessToken

            let photograph = Picture.jpeg(orientation: 6)
            let form = MultipartForm().text("nick", "이틀").file("profile", photograph)
            let changed = try await platform.send(.PUT, me, key: key, token: token, form: form)
            #expect(changed.status == 200)
            struct Profile: Decodable {
                var nick: String
                var profileImage: String
                var followers: [String], following: [String], posts: [String]
            }
            let profile = try changed.value(Profile.self)
            #expect(profile.nick == "이틀")
            let served = try await platform.send(.GET, "/v1/\(profile.profileImage)", key: key, token: token)
            #expect(served.status == 200)
            #expect(served.headers["content-type"] == ["image/jpeg"])
            #expect(!served.body.contains(Picture.place))
            #expect(try await platform.send(.GET, "/v1/\(profile.profileImage)", key: key).status == 401)
            let found = try await platform.send(.GET, "/v1/users/search?nick=", key: key, token: token)
            #expect(found.body.contains(member.id))
            #expect(try await platform.send(.GET, "/v1/users/x/profile", key: key, token: token).status == 410)

            let ahead = try await platform.send(
                .GET,
                "/v1/users/withdraw",
                key: key,
                token: token,
                headers: ["Sec-Purpose": "prefetch"]
            )
            #expect(ahead.status == 403)
            let left = try await platform.send(.GET, "/v1/users/withdraw", key: key, token: token)
            #expect(left.status == 200)
            #expect(left.headers["cache-control"] == ["no-store"])
            var status = 200
            while status == 200 {
                status = try await platform.send(.GET, me, key: key, token: token).status
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect([401, 403].contains(status))
        }
    }

    @Test func concurrentRefreshes_allSucceedAndKeepRefreshToken() async throws {
        try await Platform.test { platform in
            _ = try await join(platform, "a@b.kr", nick: "하루")
            let member = try await signIn(platform, "a@b.kr")
            let answers = try await withThrowingTaskGroup(of: Wire.Answer.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        try await platform.send(
                            .GET,
                            "/v1/auth/refresh",
                            key: key,
                            token: member.accessToken,
                            headers: [index % 2 == 0 ? "Refresh" : "RefreshToken": member.refreshToken]
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for answer in answers {
                #expect(answer.status == 200)
                let tokens = try answer.value([String: String].self)
                #expect(Set(tokens.keys) == ["accessToken"])
                let token = tokens["accessToken"] ?? ""
                #expect(try await platform.send(.GET, me, key: key, token: token).status == 200)
            }
        }
    }
}
