import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct SeatCatcherSignInTests {
    private var world: AuthWorld { .current }

    private func count(_ table: String) async throws -> Int {
        try await TestDatabase.current.client.one(
            table == "accounts" ? "SELECT count(*) FROM accounts" : "SELECT count(*) FROM sessions"
        ) { try $0.decode(Int.self) }
    }

    @Test func firstSignIn_createsAccount() async throws {
        let first = try await world.signIn(kakao: 4242)
        let second = try await world.signIn(kakao: 4242)
        let other = try await world.signIn(kakao: 4243)
        #expect(first.account == second.account)
        #expect(first.account != other.account)
        #expect(try await count("accounts") == 2)
        #expect(try await count("sessions") == 3)
    }

    @Test func concurrentFirstSignIns_createOneAccount() async throws {
        let token = try await world.kakaoToken(id: 99)
        let accounts = try await withThrowingTaskGroup(of: AccountID.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let body = #"{"accessToken":"\#(token)","fcmToken":"f"}"#
                    let answer = try await world.client().send(.post, "/user/authenticate/kakao", json: body)
                    #expect(answer.status == .created)
                    return try answer.json(TokenPair.self).claims.account
                }
            }
            return try await group.reduce(into: Set<AccountID>()) { $0.insert($1) }
        }
        #expect(accounts.count == 1)
        #expect(try await count("accounts") == 1)
    }

    @Test func pushToken_isPublishedWithTime() async throws {
        let start = Date.now
        let body = #"{"accessToken":"\#(try await world.kakaoToken(id: 7))","fcmToken":"token-of-a-phone"}"#
        let answer = try await world.client().send(.post, "/user/authenticate/kakao", json: body)
        let received = try await Rows.events(AuthEvents.PushTokenReceived.self)
        #expect(received.map(\.token) == ["token-of-a-phone"])
        #expect(received.map(\.account) == [try answer.json(TokenPair.self).claims.account])
        let at = try #require(received.first?.at)
        #expect(at >= start && at <= .now)
    }

    @Test func appleSignIn_acceptsEncodedIdentityToken() async throws {
        let token = try await world.appleToken(#"{"sub":"001.abc"}"#)
        let wrapped = Data(token.utf8).base64EncodedString()
        var accounts: Set<AccountID> = []
        for identity in [token, wrapped] {
            let body = #"{"identityToken":"\#(identity)","fcmToken":"","authorizationCode":"c","nonce":"n"}"#
            let answer = try await world.client().send(.post, "/user/authenticate/apple", json: body)
            #expect(answer.status == .created)
            #expect(try answer.keys() == ["accessToken", "refreshToken"])
            accounts.insert(try answer.json(TokenPair.self).claims.account)
        }
        #expect(accounts.count == 1)
    }

    @Test(arguments: [#"{"sub":"001.abc","expired":true}"#, #"{"sub":"001.abc","aud":"com.example.other"}"#])
    func expiredOrForeignAppleToken_returns401(fields: String) async throws {
        let token = try await world.appleToken(fields)
        let body = #"{"identityToken":"\#(token)","fcmToken":"","authorizationCode":"c"}"#
        let answer = try await world.client().send(.post, "/user/authenticate/apple", json: body)
        #expect(answer.status == .unauthorized)
        #expect(answer.text.contains(#""error":"Invalid Token""#))
    }

    @Test func forgedAppleToken_returns401() async throws {
        let token = try await world.appleToken(#"{"sub":"001.abc"}"#)
        let parts = token.split(separator: ".")
        let claims = #"{\"iss\":\"https://appleid.apple.com\",\"aud\":\"madang.dev\",\"sub\":\"1\",\"exp\":9999999999}"#
        let forged = [
            claims, "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1]).AAAA", "eyJhbGciOiJub25lIn0.\(parts[1]).",
            "x",
            "\(parts[0]).eyJzdWIiOiJ4In0.\(parts[2])",
        ]
        for identity in forged {
            let body = #"{"identityToken":"\#(identity)","fcmToken":"","authorizationCode":"c"}"#
            let answer = try await world.client().send(.post, "/user/authenticate/apple", json: body)
            #expect(answer.status == .unauthorized, "\(identity)")
        }
        #expect(try await count("accounts") == 0)
    }

    @Test func foreignOrInvalidKakaoToken_returns401() async throws {
        for token in [try await world.kakaoToken(id: 1, appID: 2), "unknown", "with space", "line\\nbreak"] {
            let body = #"{"accessToken":"\#(token)","fcmToken":""}"#
            let answer = try await world.client().send(.post, "/user/authenticate/kakao", json: body)
            #expect(answer.status == .unauthorized, "\(token)")
        }
        #expect(try await count("accounts") == 0)
    }

    @Test(arguments: [#""kind":"http","status":500,"count":9"#, #""kind":"http","status":503,"count":9"#])
    func signIn_duringProviderOutage_returns503(fault: String) async throws {
        let token = try await world.kakaoToken(id: 5)
        try await world.sandbox.fail("kakao", fault)
        let body = #"{"accessToken":"\#(token)","fcmToken":""}"#
        let answer = try await world.client().send(.post, "/user/authenticate/kakao", json: body)
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] != nil)
    }

    @Test(arguments: [
        ("kakao", ""), ("kakao", "{}"), ("kakao", #"{"accessToken":"t"}"#),
        ("kakao", #"{"accessToken":null,"fcmToken":""}"#),
        ("kakao", #"{"accessToken":"","fcmToken":""}"#), ("kakao", #"{"accessToken":5,"fcmToken":""}"#),
        ("kakao", "[1]"),
        ("apple", #"{"identityToken":null,"fcmToken":"","authorizationCode":""}"#),
        ("apple", #"{"identityToken":"","fcmToken":"","authorizationCode":""}"#), ("apple", "not json"),
    ])
    func malformedSignIn_returns400(provider: String, body: String) async throws {
        let answer = try await world.client().send(.post, "/user/authenticate/\(provider)", json: body)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["error", "message", "code", "requestId"])
    }
}
