import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct MOUPSignInTests {
    private var world: AuthWorld { .current }

    private func login(_ fields: String) async throws -> TestResponse {
        try await world.client(.moup).send(.post, "/auth/login", json: fields)
    }

    private func apple(_ sub: String, _ rest: String = "") async throws -> TestResponse {
        let code = try await world.apple(#"{"sub":"\#(sub)"}"#).code
        return try await login(#"{"provider":"LOGIN_APPLE","authCode":"\#(code)"\#(rest)}"#)
    }

    private func error(_ answer: TestResponse) throws -> String? {
        #expect(try answer.keys() == ["errorCode", "errorMessage"])
        return try answer.json([String: String].self)["errorCode"]
    }

    @Test func signIn_returns201Then202Then200() async throws {
        let first = try await apple("1", #","username":"김하루","fcmToken":"f""#)
        #expect(first.status == .created)
        #expect(try first.keys() == ["accessToken", "refreshToken"])
        #expect(first.headers[.location]?.hasPrefix("http://") == true)
        #expect(first.headers[.location]?.hasSuffix("/users/profiles") == true)

        let second = try await apple("1")
        #expect(second.status == .accepted)
        #expect(try second.keys() == ["accessToken", "refreshToken"])

        let me = try world.client(.moup, second.json(TokenPair.self))
        let register = #"{"nickname":"하루","role":"ROLE_OWNER"}"#
        let registered = try await me.send(.patch, "/auth/login/register", json: register)
        #expect(registered.status == .ok)
        #expect(registered.text == #"{"role":"ROLE_OWNER"}"#)
        let again = try await me.send(.patch, "/auth/login/register", json: register)
        #expect(again.status == .conflict)
        #expect(try error(again) == "USER_409")

        let third = try await apple("1", #","username":"다른""#)
        #expect(third.status == .ok)
        #expect(try third.keys() == ["role", "accessToken", "refreshToken"])
        #expect(try third.json([String: String].self)["role"] == "ROLE_OWNER")
        let profile = try await me.send(.get, "/users/profiles")
        #expect(profile.text.contains("김하루"))
    }

    /// The name in the profile of a user who has signed in.
    private func username(_ answer: TestResponse) async throws -> String {
        struct Profile: Decodable { var username: String }
        let client = try world.client(.moup, answer.json(TokenPair.self))
        return try await client.send(.get, "/users/profiles").json(Profile.self).username
    }

    /// The app's profile screen does not decode null.
    @Test func username_isNicknameUntilASignInBringsAName() async throws {
        let first = try await apple("1")
        #expect(try await username(first) == "")
        let me = try world.client(.moup, first.json(TokenPair.self))
        let register = #"{"nickname":"하루","role":"ROLE_OWNER"}"#
        #expect(try await me.send(.patch, "/auth/login/register", json: register).status == .ok)
        #expect(try await username(first) == "하루")
        #expect(try await username(try await apple("1", #","username":"김하루""#)) == "김하루")
        #expect(try await username(try await apple("1", #","username":"다른""#)) == "김하루")
    }

    @Test func googleSignIn_setsUsername() async throws {
        let first = try await world.moup(google: "7", name: "하루가 아주 길고 긴 이름이라 스무 글자가 넘는다")
        #expect(first.status == 201)
        let profile = try await world.client(.moup, first.tokens).send(.get, "/users/profiles")
        #expect(profile.status == .ok)
        #expect(try profile.keys() == ["userId", "username", "nickname", "profileImg", "role", "createdAt"])
        struct Profile: Decodable {
            var userId: AccountID
            var username: String?
            var nickname: String?
            var profileImg: String?
            var role: String
            var createdAt: String
        }
        let read = try profile.json(Profile.self)
        #expect(read.userId == (try first.tokens.claims.account))
        #expect(read.username?.count == 20)
        #expect(read.nickname == nil)
        #expect(read.profileImg == nil)
        #expect(read.role == "ROLE_WORKER")
        let seoul = (Date.now + 9 * 3600).formatted(.iso8601)
        #expect(read.createdAt.count == 19)
        #expect(read.createdAt.prefix(10) == seoul.prefix(10) || seoul.contains("T00:0"))
        #expect(Array(read.createdAt)[10] == " ")
    }

    @Test func concurrentFirstSignIns_createOneAccount() async throws {
        var codes: [String] = []
        for _ in 0..<12 { codes.append(try await world.googleCode(#"{"sub":"7"}"#)) }
        let answers = try await withThrowingTaskGroup(of: (Int, AccountID).self) { [codes] group in
            for code in codes {
                group.addTask {
                    let answer = try await login(#"{"provider":"LOGIN_GOOGLE","authCode":"\#(code)"}"#)
                    return (answer.status.code, try answer.json(TokenPair.self).claims.account)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.1)).count == 1)
        #expect(answers.count { $0.0 == 201 } == 1)
        #expect(answers.count { $0.0 == 202 } == 11)
        let kept = try await TestDatabase.current.client.one("SELECT refresh_token IS NOT NULL FROM social_links") {
            try $0.decode(Bool.self)
        }
        #expect(kept)
    }

    @Test func invalidAuthorizationCode_returns401() async throws {
        let code = try await world.googleCode(#"{"sub":"7"}"#)
        _ = try await login(#"{"provider":"LOGIN_GOOGLE","authCode":"\#(code)"}"#)
        let foreign = try await world.apple(#"{"sub":"7","aud":"another.app"}"#).code
        let late = try await world.apple(#"{"sub":"7","expired":true}"#).code
        for (provider, refused) in [
            ("GOOGLE", code), ("GOOGLE", "x"), ("APPLE", code), ("APPLE", foreign), ("APPLE", late),
        ] {
            let answer = try await login(#"{"provider":"LOGIN_\#(provider)","authCode":"\#(refused)"}"#)
            #expect(answer.status == .unauthorized)
            #expect(try error(answer) == "AUTH_401")
        }
    }

    @Test(arguments: [
        "{}", #"{"provider":"LOGIN_GOOGLE"}"#, #"{"provider":"LOGIN_GOOGLE","authCode":""}"#,
        #"{"provider":"LOGIN_GOOGLE","authCode":null}"#, #"{"provider":"LOGIN_KAKAO","authCode":"x"}"#,
        #"{"provider":"LOGIN_NAVER","authCode":"x"}"#, #"{"provider":3,"authCode":"x"}"#,
    ])
    func invalidSignIn_returns422(body: String) async throws {
        let answer = try await login(body)
        #expect(answer.status == .unprocessableContent)
        #expect(try error(answer) == "FIELD_422")
        let malformed = try await login("{")
        #expect(malformed.status == .badRequest)
        #expect(try error(malformed) == "COMMON_400")
    }

    @Test(arguments: ["GOOGLE", "APPLE"])
    func signIn_duringProviderOutage_returns503(provider: String) async throws {
        let apple = try await world.apple(#"{"sub":"1"}"#).code
        let google = try await world.googleCode(#"{"sub":"1"}"#)
        let body = #"{"provider":"LOGIN_\#(provider)","authCode":"\#(provider == "APPLE" ? apple : google)"}"#
        try await world.sandbox.fail(provider.lowercased(), #""kind":"http","status":500,"count":1"#)
        let answer = try await login(body)
        #expect(answer.status == .serviceUnavailable)
        #expect(try error(answer) == "COMMON_503")
        let accounts = try await TestDatabase.current.client.one("SELECT count(*) FROM accounts") {
            try $0.decode(Int.self)
        }
        #expect(accounts == 0)
        #expect(try await login(body).status == .created)
    }

    @Test func refresh_returnsNewTokens() async throws {
        func refresh(_ token: String) async throws -> TestResponse {
            try await world.client(.moup).send(.post, "/auth/token/refresh", json: #"{"refreshToken":"\#(token)"}"#)
        }
        let tokens = try await world.moup(google: "1").tokens
        let refreshed = try await refresh(tokens.refreshToken)
        #expect(refreshed.status == .ok)
        #expect(try refreshed.keys() == ["accessToken", "refreshToken"])
        for bad in ["junk", tokens.accessToken, ""] {
            let answer = try await refresh(bad)
            #expect(answer.status == .badRequest)
            #expect(try error(answer) == "AUTH_400")
        }
        let missing = try await world.client(.moup).send(.post, "/auth/token/refresh", json: "{}")
        #expect(try error(missing) == "AUTH_400")
    }
}
