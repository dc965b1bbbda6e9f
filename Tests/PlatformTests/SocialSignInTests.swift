import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// Sign-ins with a provider, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct SocialSignInTests {
    private let key = "anlaka-dev-key"

    @Test func anlakaMember_signsInWithKakaoAndApple() async throws {
        try await Platform.test { platform in
            let kakao = try await platform.control("kakao/tokens", #"{"id":1,"email":"haru@example.com"}"#)
            let body = #"{"oauthToken":"\#(kakao["access_token"] ?? "")"}"#
            let signedIn = try await platform.send(.POST, "/v1/users/login/kakao", key: key, json: body)
            #expect(signedIn.status == 200)
            let tokens = try signedIn.value(TokenPair.self)
            let me = try await platform.send(.GET, "/v1/users/me/profile", key: key, token: tokens.accessToken)
            #expect(me.status == 200)
            #expect(me.body.contains("haru@example.com"))
            #expect(try await platform.send(.POST, "/v1/users/login/kakao", json: body).status == 420)

            let apple = try await platform.control("apple/tokens", #"{"sub":"1","email":"haru@example.com"}"#)
            let token = #"{"idToken":"\#(apple["identity_token"] ?? "")","nick":"아무개"}"#
            #expect(try await platform.send(.POST, "/v1/users/login/apple", key: key, json: token).status == 409)
            let other = try await platform.control("apple/tokens", #"{"sub":"1"}"#)
            let good = #"{"idToken":"\#(other["identity_token"] ?? "")","nick":"아무개"}"#
            #expect(try await platform.send(.POST, "/v1/users/login/apple", key: key, json: good).status == 200)
        }
    }

    @Test func identityToken_fromOtherUserAgent_returns401() async throws {
        try await Platform.test { platform in
            let apple = try await platform.control("apple/tokens", #"{"sub":"1"}"#)
            let body =
                #"{"identityToken":"\#(apple["identity_token"] ?? "")","fcmToken":"","authorizationCode":"\#(apple["authorization_code"] ?? "")","nonce":"unknown to Apple"}"#
            func signIn(_ agent: String) async throws -> Int {
                try await platform.send(
                    .POST,
                    "/user/authenticate/apple",
                    headers: ["User-Agent": agent],
                    json: body
                ).status
            }
            #expect(try await signIn("SeatCatcher/1") == 201)
            #expect(try await signIn("SeatCatcher/1") == 201)
            #expect(try await signIn("curl/8") == 401)
        }
    }
}
