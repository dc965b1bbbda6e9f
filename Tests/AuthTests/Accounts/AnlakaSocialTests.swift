import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct AnlakaSocialTests {
    private var world: AuthWorld { .current }

    private func kakao(_ fields: String) async throws -> TestResponse {
        let body = #"{"oauthToken":"\#(try await world.kakao(fields))","deviceToken":"d"}"#
        return try await world.anlaka.send(.post, "/v1/users/login/kakao", json: body)
    }

    private func apple(_ fields: String, nick: String?) async throws -> TestResponse {
        let nick = nick.map { #","nick":"\#($0)""# } ?? ""
        let body = #"{"idToken":"\#(try await world.apple(fields).identity)"\#(nick)}"#
        return try await world.anlaka.send(.post, "/v1/users/login/apple", json: body)
    }

    @Test func kakaoSignIn_createsAndFindsAccount() async throws {
        let first = try await kakao(#"{"id":1,"nickname":"하-루","email":"haru@example.com"}"#)
        #expect(first.status == .ok)
        #expect(try first.keys() == ["user_id", "email", "nick", "accessToken", "refreshToken"])
        let account = try first.json([String: String].self)
        #expect(account["nick"] == "하루")
        #expect(account["email"] == "haru@example.com")
        #expect(account["user_id"]?.count == 24)
        let again = try await kakao(#"{"id":1,"nickname":"다른"}"#).json([String: String].self)
        #expect(again["user_id"] == account["user_id"])
        #expect(again["nick"] == "하루")
        let silent = try await kakao(#"{"id":2}"#).json([String: String].self)
        #expect(silent["email"]?.isEmpty == true)
        #expect(silent["nick"] == "아무개")
    }

    @Test func appleSignIn_withPlaceholder_keepsNickname() async throws {
        let first = try await apple(#"{"sub":"1"}"#, nick: "김하루").json([String: String].self)
        let second = try await apple(#"{"sub":"1"}"#, nick: "아무개").json([String: String].self)
        let third = try await apple(#"{"sub":"1"}"#, nick: nil).json([String: String].self)
        #expect([first["nick"], second["nick"], third["nick"]] == ["김하루", "김하루", "김하루"])
        #expect(Set([first["user_id"], second["user_id"], third["user_id"]]).count == 1)
        let other = try await apple(#"{"sub":"2"}"#, nick: "??").json([String: String].self)
        #expect(other["nick"] == "아무개")
    }

    @Test func emailOfOtherSignInMethod_returns409() async throws {
        let join = #"{"email":"haru@example.com","password":"abcd123!","nick":"하루"}"#
        #expect(try await world.anlaka.send(.post, "/v1/users/join", json: join).status == .ok)
        #expect(try await kakao(#"{"id":1,"email":"Haru@example.com"}"#).status == .conflict)
        #expect(try await apple(#"{"sub":"1","email":"haru@example.com"}"#, nick: nil).status == .conflict)
        #expect(try await kakao(#"{"id":2,"email":"b@example.com"}"#).status == .ok)
        #expect(try await apple(#"{"sub":"2","email":"b@example.com"}"#, nick: nil).status == .conflict)
        let late = #"{"email":"b@example.com","password":"abcd123!","nick":"b"}"#
        #expect(try await world.anlaka.send(.post, "/v1/users/join", json: late).status == .conflict)
        let accounts = try await TestDatabase.current.client.one("SELECT count(*) FROM accounts") {
            try $0.decode(Int.self)
        }
        #expect(accounts == 2)
    }

    @Test func concurrentFirstSignIns_createOneAccount() async throws {
        let token = try await world.kakao(#"{"id":1,"email":"haru@example.com"}"#)
        let body = #"{"oauthToken":"\#(token)"}"#
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let answer = try await world.anlaka.send(.post, "/v1/users/login/kakao", json: body)
                    #expect(answer.status == .ok)
                    return try answer.json([String: String].self)["user_id"]
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func unverifiedToken_isRefused() async throws {
        #expect(try await kakao(#"{"id":1,"app_id":2}"#).status == .unauthorized)
        #expect(try await kakao(#"{"id":1,"expires_in":0}"#).status == .unauthorized)
        #expect(try await apple(#"{"sub":"1","aud":"another.app"}"#, nick: nil).status == .unauthorized)
        #expect(try await apple(#"{"sub":"1","expired":true}"#, nick: nil).status == .unauthorized)
        #expect(try await apple(#"{"sub":"1","nonce":"n"}"#, nick: nil).status == .ok)
        for body in ["", "{}", #"{"oauthToken":""}"#, #"{"oauthToken":7}"#, #"{"idToken":""}"#] {
            for provider in ["kakao", "apple"] {
                let answer = try await world.anlaka.send(.post, "/v1/users/login/\(provider)", json: body)
                #expect(answer.status == .badRequest)
                #expect(try answer.keys() == ["message"])
            }
        }
    }

    @Test func signIn_duringProviderOutage_returns503() async throws {
        try await world.sandbox.fail("kakao", #""kind":"http","status":500,"count":1"#)
        #expect(try await kakao(#"{"id":1}"#).status == .serviceUnavailable)
        try await world.sandbox.fail("apple", #""kind":"http","status":500,"count":1"#)
        let answer = try await apple(#"{"sub":"1"}"#, nick: nil)
        #expect(answer.status == .serviceUnavailable)
        #expect(try answer.keys() == ["message"])
    }
}
