import Authentication
import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth
@testable import Seats

/// The end of a session or an account, in the gateway and in every service that keeps its data.
@Suite(.timeLimit(.minutes(8))) struct SessionEndTests {
    private struct Listed: Decodable {
        struct Session: Decodable {
            var sessionId: String
            var current: Bool
        }

        var sessions: [Session]
    }

    /// Waits until a token is refused.
    private func refused(_ platform: Platform, _ tokens: TokenPair) async throws {
        while try await platform.send(.GET, "/stations/1", token: tokens.accessToken).status != 401 {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func endedSession_isRefusedByAllServices() async throws {
        try await Platform.test { platform in
            let lost = try await LivePhone(platform, kakao: 1)
            let mine = try await platform.signIn(kakao: 1)
            let path = "/user/me/sessions"
            let answer = try await platform.send(.GET, path, token: mine.accessToken)
            let sessions = try answer.value(Listed.self).sessions
            #expect(sessions.count >= 2)
            #expect(sessions.filter(\.current).count == 1)
            let session = try lost.tokens.claims.session
            #expect(sessions.contains { $0.sessionId == session })

            let ended = try await platform.send(.DELETE, "\(path)/\(session)", token: mine.accessToken)
            #expect(ended.status == 204)
            try await refused(platform, lost.tokens)
            #expect(try await lost.socket.ended() == "Your session has ended")
            let refresh = #"{"refreshToken":"\#(lost.tokens.refreshToken)"}"#
            #expect(try await platform.send(.POST, "/token/refresh", json: refresh).status == 401)
            #expect(try await platform.send(.GET, "/stations/1", token: mine.accessToken).status == 200)
        }
    }

    @Test func withdrawal_finishesAndUnlinksKakao() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 7)
            let account = try tokens.claims.account
            #expect(try await platform.send(.DELETE, "/user/me", token: tokens.accessToken).status == 204)
            try await refused(platform, tokens)
            while try await !platform.hasLeft(account) { try await Task.sleep(for: .milliseconds(50)) }
            let calls = try await Wire.send(.GET, "\(platform.sandbox)/_control/calls?provider=kakao").body
            #expect(calls.contains("/v1/user/unlink"))
        }
    }

    /// Anlaka's client takes 403 for a withdrawn account.
    @Test func withdrawnAnlakaMember_gets403() async throws {
        try await Platform.test { platform in
            let key = "anlaka-dev-key"
            let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"하루"}"#
            let tokens = try await platform.send(.POST, "/v1/users/join", key: key, json: join).value(TokenPair.self)
            let left = try await platform.send(.DELETE, "/v1/users/me", key: key, token: tokens.accessToken)
            #expect(left.status == 200)
            let me = "/v1/users/me/profile"
            while try await platform.send(.GET, me, key: key, token: tokens.accessToken).status != 403 {
                try await Task.sleep(for: .milliseconds(20))
            }
            let refresh = try await platform.send(
                .GET,
                "/v1/auth/refresh",
                key: key,
                headers: ["RefreshToken": tokens.refreshToken]
            )
            #expect(refresh.status == 403)
            #expect(try await platform.send(.POST, "/v1/users/join", key: key, json: join).status == 200)
        }
    }

    /// Kakao reports that a user has ended the link there.
    @Test func kakaoUnlinkNotice_revokesTokens() async throws {
        try await Platform.test { platform in
            let tokens = try await platform.signIn(kakao: 8)
            let to = "\(platform.gateway)/notices/seatcatcher/kakao"
            let told = try await Wire.send(
                .POST,
                "\(platform.sandbox)/_control/kakao/unlinks",
                json: #"{"id":8,"to":"\#(to)"}"#
            )
            #expect(told.body == #"{"status":200}"#)
            try await refused(platform, tokens)
        }
    }
}

extension Platform {
    /// Whether all services have erased an account's data.
    func hasLeft(_ account: AccountID) async throws -> Bool {
        try await authDatabase.client.one(
            "SELECT finished_at IS NOT NULL FROM withdrawals WHERE account_id = \(account)"
        ) {
            try $0.decode(Bool.self)
        }
    }
}

extension TokenPair {
    /// The account and the session that the access token names, unverified.
    fileprivate var claims: (account: AccountID, session: String) {
        get throws {
            struct Claims: Decodable {
                var sub: String
                var sid: String
            }
            let parts = accessToken.split(separator: ".")
            let payload = parts.count == 3 ? Base64URL.decode(parts[1].utf8) : nil
            let claims = try JSONDecoder().decode(Claims.self, from: Data(payload ?? []))
            return (AccountID(claims.sub) ?? 0, claims.sid)
        }
    }
}
