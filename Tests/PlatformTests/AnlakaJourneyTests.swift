import AppClients
import Apps
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct AnlakaJourneyTests {
    @Test func member_joinsSignsInAndRefreshes() async throws {
        try await Platform.test { platform in
            let client = platform.anlaka
            let account = SeSACAccount(email: "haru@example.com", password: "abcd123!", nick: "하루")
            #expect(try await client.checkEmail(account.email).status == 200)
            try await client.join(account)
            let again: RequestBody = ["email": "haru@example.com", "password": "abcd123!", "nick": "하루"]
            #expect(try await platform.anlaka.send(\.join, body: again).status == 409)
            #expect(try await platform.anlaka.checkEmail(account.email).status == 409)

            try await client.signIn(account)
            let me = try await client.send(\.getOwnProfile)
            #expect(me.status == 200)
            #expect(me.body.contains("haru@example.com"))

            for _ in 0..<2 {
                let refreshed = try await client.send(\.refreshTokens, headers: ["RefreshToken": client.refreshToken])
                #expect(refreshed.status == 200)
                let bearer = ["Authorization": "Bearer \(try refreshed.value(ClientTokens.self).accessToken)"]
                #expect(try await client.send(\.getOwnProfile, slash: true, query: "", headers: bearer).status == 200)
            }
        }
    }

    @Test func authenticationErrors_returnAnlakasStatuses() async throws {
        try await Platform.test({ $0.accessTTL = 1 }) { platform in
            let client = platform.anlaka
            try await client.join(SeSACAccount(email: "a@b.kr", password: "abcd123!", nick: "n"))
            func status(_ headers: [String: String]) async throws -> Int {
                try await client.send(\.getOwnProfile, headers: headers).status
            }
            #expect(try await platform.send(.get, "/v1/users/me/profile").status == 420)
            #expect(try await AnlakaClient(platform.gateway, key: "another key").send(\.getOwnProfile).status == 420)
            #expect(try await platform.anlaka.send(\.getOwnProfile).status == 401)
            #expect(try await status(["Authorization": "junk"]) == 401)
            #expect(try await status(["Authorization": client.refreshToken]) == 401)
            #expect(try await status(["SeSACKey": AppKey.culture]) == 401)
            #expect(try await client.send(.get, "/v1/nowhere").status == 444)
            let passenger = try await platform.signIn(kakao: 1)
            #expect(try await status(["Authorization": passenger.token]) == 401)
            let bearer = ["Authorization": "Bearer \(client.token)"]
            #expect(try await passenger.send(\.searchStations, headers: bearer).status == 401)
        }
    }
}
