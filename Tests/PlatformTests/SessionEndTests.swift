import AppClients
import Apps
import Authentication
import Contracts
import TestKit
import Testing

/// The end of a session or an account, in the gateway and in every service that keeps its data.
@Suite(.timeLimit(.minutes(8))) struct SessionEndTests {
    /// Waits until a user's token is refused.
    private func refused(_ platform: Platform, _ client: SeatCatcherClient) async throws {
        try await eventually { try await client.send(\.getStation, 1).status == 401 }
    }

    @Test func endedSession_isRefusedByAllServices() async throws {
        try await Platform.test { platform in
            let lost = try await SeatCatcherClient(platform, kakao: 1)
            let mine = try await platform.signIn(kakao: 1)
            let sessions = try await mine.send(\.listSessions).json()["sessions"]?.elements ?? []
            #expect(sessions.count >= 2)
            #expect(sessions.filter { $0["current"] == true }.count == 1)
            let session = try lost.claims.session
            #expect(sessions.contains { $0["sessionId"]?.string == session })

            #expect(try await mine.send(\.endSession, session).status == 204)
            try await refused(platform, lost)
            #expect(try await lost.socket.ended() == "Your session has ended")
            #expect(try await SeatCatcherClient(platform.gateway).refresh(lost.refreshToken).status == 401)
            #expect(try await mine.send(\.getStation, 1).status == 200)
        }
    }

    @Test func withdrawal_finishesAndUnlinksKakao() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 7)
            let account = try client.claims.account
            #expect(try await client.send(\.withdraw).status == 204)
            try await refused(platform, client)
            try await eventually { try await platform.hasLeft(account) }
            #expect(try await platform.sandboxClient.get("calls?provider=kakao").body.contains("/v1/user/unlink"))
        }
    }

    /// Anlaka's client takes 403 for a withdrawn account.
    @Test func withdrawnAnlakaMember_gets403() async throws {
        try await Platform.test { platform in
            let account = SeSACAccount(email: "a@b.kr", password: "abcd123!", nick: "하루")
            let client = platform.anlaka
            try await client.join(account)
            #expect(try await client.send(\.withdraw).status == 200)
            try await eventually { try await client.send(\.getOwnProfile).status == 403 }
            let token = ["RefreshToken": client.refreshToken]
            #expect(try await platform.anlaka.send(\.refreshTokens, headers: token).status == 403)
            try await platform.anlaka.join(account)
        }
    }

    /// Kakao reports that a user has ended the link there.
    @Test func kakaoUnlinkNotice_revokesTokens() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 8)
            let to = platform.gateway + SeatCatcher().receiveKakaoUnlinkByPost.path
            let notice = try await platform.sandboxClient.post("kakao/unlinks", ["id": 8, "to": "\(to)"])
            #expect(notice.body == #"{"status":200}"#)
            try await refused(platform, client)
        }
    }
}

extension SeatCatcherClient {
    /// The account and the session that the access token names, unverified.
    fileprivate var claims: (account: AccountID, session: String) {
        get throws {
            let parts = token.split(separator: ".")
            let payload = parts.count == 3 ? Base64URL.decode(parts[1].utf8) : nil
            let claims = try #require(JSON(parsing: payload ?? []))
            return (try #require(AccountID(claims.text("sub"))), try claims.text("sid"))
        }
    }
}
