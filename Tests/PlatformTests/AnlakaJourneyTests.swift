import NIOHTTP1
import TestKit
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(8))) struct AnlakaJourneyTests {
    private let key = "anlaka-dev-key"

    @Test func member_joinsSignsInAndRefreshes() async throws {
        try await Platform.test { platform in
            let email = #"{"email":"haru@example.com"}"#
            let free = try await platform.send(.POST, "/v1/users/validation/email", key: key, json: email)
            #expect(free.status == 200)
            let join = #"{"email":"haru@example.com","password":"abcd123!","nick":"하루"}"#
            #expect(try await platform.send(.POST, "/v1/users/join", key: key, json: join).status == 200)
            #expect(try await platform.send(.POST, "/v1/users/join", key: key, json: join).status == 409)
            #expect(
                try await platform.send(.POST, "/v1/users/validation/email", key: key, json: email).status == 409
            )

            let login = #"{"email":"haru@example.com","password":"abcd123!"}"#
            let signedIn = try await platform.send(.POST, "/v1/users/login", key: key, json: login)
            #expect(signedIn.status == 200)
            let tokens = try signedIn.value(TokenPair.self)
            let me = try await platform.send(.GET, "/v1/users/me/profile", key: key, token: tokens.accessToken)
            #expect(me.status == 200)
            #expect(me.body.contains("haru@example.com"))

            for _ in 0..<2 {
                let refreshed = try await platform.send(
                    .GET,
                    "/v1/auth/refresh",
                    key: key,
                    token: tokens.accessToken,
                    headers: ["RefreshToken": tokens.refreshToken]
                )
                #expect(refreshed.status == 200)
                let successor = try refreshed.value(TokenPair.self)
                let again = try await platform.send(
                    .GET,
                    "/v1/users/me/profile/?",
                    key: key,
                    token: "Bearer \(successor.accessToken)"
                )
                #expect(again.status == 200)
            }
        }
    }

    @Test func authenticationErrors_returnAnlakasStatuses() async throws {
        try await Platform.test({ $0.accessTTL = 1 }) { platform in
            let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"n"}"#
            let tokens = try await platform.send(.POST, "/v1/users/join", key: key, json: join).value(TokenPair.self)
            let me = "/v1/users/me/profile"
            #expect(try await platform.send(.GET, me).status == 420)
            #expect(try await platform.send(.GET, me, key: "another key").status == 420)
            #expect(try await platform.send(.GET, me, key: key).status == 401)
            #expect(try await platform.send(.GET, me, key: key, token: "junk").status == 401)
            #expect(try await platform.send(.GET, me, key: key, token: tokens.refreshToken).status == 401)
            #expect(try await platform.send(.GET, me, key: "culture-dev-key", token: tokens.accessToken).status == 401)
            #expect(try await platform.send(.GET, "/v1/nowhere", key: key, token: tokens.accessToken).status == 444)
            let seatCatchers = try await platform.signIn(kakao: 1).accessToken
            #expect(try await platform.send(.GET, me, key: key, token: seatCatchers).status == 401)
            #expect(try await platform.send(.GET, "/stations", token: tokens.accessToken).status == 401)
        }
    }
}
