import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// With Suhyeon's account calls as its client makes them, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonJourneyTests {
    private struct Envelope<Result: Decodable>: Decodable {
        var errorCode: String?
        var message: String
        var result: Result
    }

    private struct Social: Decodable {
        var isUser: Bool
        var userId: AccountID
        var accessToken: String?
        var refreshToken: String?
    }

    private struct UserID: Decodable {
        var userId: AccountID
    }

    private static let number = "01012345678"

    private func kakao(_ platform: Platform, stale: String? = nil) async throws -> Social {
        let token = try await platform.control("kakao/tokens", #"{"id":1}"#)["access_token"] ?? ""
        let headers = ["Access-Token": token]
        let answer = try await platform.send(.POST, "/api/v1/auth/kakao", token: stale, headers: headers)
        #expect(answer.status == 200)
        return try answer.value(Envelope<Social>.self).result
    }

    private func prove(_ platform: Platform) async throws {
        let number = #"{"phoneNumber":"\#(Self.number)"}"#
        let sent = try await platform.send(.POST, "/api/v1/message/send?flow=signup", json: number)
        #expect(sent.status == 200)
        let code = try await platform.code(on: Self.number)
        let verify = #"{"phoneNumber":"\#(Self.number)","verifyNumber":"\#(code)"}"#
        let verified = try await platform.send(.POST, "/api/v1/message/verify?flow=signup", json: verify)
        #expect(verified.status == 200)
    }

    private func signUp(_ platform: Platform, _ userID: AccountID) async throws -> Wire.Answer {
        let form = #"""
            {"phoneNumber":"\#(Self.number)","nickname":"수현","birthYear":2006,"gender":false,
             "profileImage":"img_blue_suma","region":"강릉","userId":\#(userID)}
            """#
        return try await platform.send(.PATCH, "/api/v1/auth/signup", json: form)
    }

    @Test func member_signsUpUsesMyPageAndWithdraws() async throws {
        try await Platform.test { platform in
            // The start page may still send a stale token.
            let begun = try await kakao(platform, stale: "stale")
            #expect(!begun.isUser)
            #expect(begun.accessToken == nil)
            try await prove(platform)
            #expect(try await signUp(platform, begun.userId).status == 200)
            let number = #"{"phoneNumber":"\#(Self.number)"}"#
            let signedIn = try await platform.send(.POST, "/api/v1/auth/signin", json: number)
            #expect(signedIn.status == 200)
            let tokens = try signedIn.value(Envelope<TokenPair>.self).result
            let token = tokens.accessToken

            let me = try await platform.send(.GET, "/api/v1/mypage", token: token)
            #expect(me.status == 200)
            #expect(me.body.contains("img_blue_suma"))
            let region = #"{"region":"춘천/인제/철원/화천/양구"}"#
            #expect(
                try await platform.send(.PATCH, "/api/v1/mypage/preference", token: token, json: region).status == 200
            )
            #expect(try await platform.send(.GET, "/api/v1/mypage/preference", token: token).body.contains("춘천"))
            let block = #"{"phoneNumber":"01099999999"}"#
            let blocks = "/api/v1/mypage/blocks"
            #expect(try await platform.send(.POST, blocks, token: token, json: block).status == 200)
            #expect(try await platform.send(.GET, blocks, token: token).body.contains("01099999999"))
            #expect(try await platform.send(.DELETE, "\(blocks)?number=01099999999", token: token).status == 204)
            #expect(
                try await platform.send(.GET, "/api/v1/mypage/phone-number", token: token).body.contains(Self.number)
            )

            let ticket = try await platform.send(.GET, "/api/v1/user-id", token: token)
            let shown = try ticket.value(Envelope<UserID>.self).result.userId
            let known = try await kakao(platform)
            #expect(known.isUser)
            #expect(known.userId != shown)

            #expect(try await platform.send(.DELETE, "/api/v1/auth/withdraw", token: token).status == 200)
            let gone = try await kakao(platform)
            #expect(!gone.isUser)
        }
    }

    @Test func signOut_revokesToken() async throws {
        try await Platform.test { platform in
            try await prove(platform)
            #expect(try await signUp(platform, kakao(platform).userId).status == 200)
            let token = try #require(await kakao(platform).accessToken)
            #expect(try await platform.send(.POST, "/api/v1/auth/logout", token: token).status == 200)
            var late = try await platform.send(.GET, "/api/v1/mypage", token: token)
            while late.status == 200 {
                try await Task.sleep(for: .milliseconds(20))
                late = try await platform.send(.GET, "/api/v1/mypage", token: token)
            }
            #expect(late.status == 401)
            #expect(late.body.contains("errorCode"))
        }
    }

    @Test func signIn_withUnverifiedNumber_isRefused() async throws {
        try await Platform.test { platform in
            try await prove(platform)
            #expect(try await signUp(platform, kakao(platform).userId).status == 200)
            let number = #"{"phoneNumber":"\#(Self.number)"}"#
            _ = try await platform.send(.POST, "/api/v1/auth/signin", json: number)
            let thief = try await platform.send(.POST, "/api/v1/auth/signin", json: number)
            #expect(thief.status == 400)
            #expect(thief.body.contains("USER_002"))
            let master = #"{"phoneNumber":"\#(Self.number)","verifyNumber":"111111"}"#
            let guessed = try await platform.send(.POST, "/api/v1/message/verify?flow=signin", json: master)
            #expect(guessed.status == 400)
            try await platform.fault("sms", count: 1)
            let down = try await platform.send(.POST, "/api/v1/message/send?flow=signin", json: number)
            #expect(down.status == 503)
            #expect(down.body.contains("RESPONSE_002"))
        }
    }
}
