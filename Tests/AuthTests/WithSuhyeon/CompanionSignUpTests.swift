import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct CompanionSignUpTests {
    private var world: AuthWorld { .current }
    private static let number = "01012345678"

    struct Social: Decodable {
        var isUser: Bool
        var userId: Int64
        var accessToken: String?
        var refreshToken: String?
    }

    private func error(_ answer: TestResponse) throws -> String {
        #expect(try answer.keys() == ["errorCode", "message", "result"])
        return try answer.json(Refusal.self).errorCode
    }

    private func kakao(_ token: String) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("Access-Token"))] = token
        return try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/kakao", headers: headers)
    }

    private func social(kakao id: Int) async throws -> Social {
        let answer = try await kakao(world.kakao(#"{"id":\#(id)}"#))
        #expect(answer.status == .ok)
        return try answer.json(Envelope<Social>.self).result
    }

    private func signUp(_ form: String) async throws -> TestResponse {
        try await world.client(.withsuhyeon).send(.patch, "/api/v1/auth/signup", json: form)
    }

    private func signIn(
        _ number: String = Self.number,
        from address: String = "203.0.113.7"
    ) async throws -> TestResponse {
        try await world.client(.withsuhyeon).send(
            .post,
            "/api/v1/auth/signin",
            json: #"{"phoneNumber":"\#(number)"}"#,
            headers: [.internalClient: address]
        )
    }

    private func accounts() async throws -> Int {
        try await TestDatabase.current.client.one("SELECT count(*) FROM accounts") { try $0.decode(Int.self) }
    }

    @Test func kakaoSignUp_createsAccount() async throws {
        let begun = try await social(kakao: 1)
        #expect(!begun.isUser)
        #expect(begun.accessToken == nil)
        #expect(begun.userId > 1 << 20)
        try await world.prove(Self.number, flow: "signup")
        let form = AuthWorld.signUpForm(Self.number, userID: begun.userId)
        let done = try await signUp(form)
        #expect(done.status == .ok)
        #expect(done.text.contains(#""result":null"#))
        #expect(try await signUp(form).status == .ok)

        let signedIn = try await signIn()
        #expect(signedIn.status == .ok)
        let tokens = try signedIn.json(Envelope<TokenPair>.self).result
        #expect(signedIn.headers[.sessionID] == (try tokens.claims.session))
        let known = try await social(kakao: 1)
        #expect(known.isUser)
        #expect(known.userId == (try tokens.claims.account.rawValue))
        #expect(known.accessToken != nil)
        #expect(known.refreshToken != nil)
        #expect(try await accounts() == 1)
    }

    @Test func appleSignUp_acceptsDoublyEncodedCode() async throws {
        let code = try await world.apple(#"{"sub":"1"}"#).code
        let twice = code.utf8.map { "%25" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let answer = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/apple?code=\(twice)")
        #expect(answer.status == .ok)
        #expect(try answer.json(Envelope<Social>.self).result.isUser == false)
        let again = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/apple?code=\(code)")
        #expect(again.status == .badRequest)
        #expect(try error(again) == "REQUEST_019")
        for bad in ["?code=x", "?code=%25zz"] {
            let refused = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/apple\(bad)")
            #expect(try error(refused) == "REQUEST_019")
        }
        for bad in ["", "?code="] {
            let refused = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/apple\(bad)")
            #expect(try error(refused) == "REQUEST_001")
        }
    }

    @Test func foreignOrInvalidKakaoToken_isRefused() async throws {
        for token in ["", "x", try await world.kakao(#"{"id":1,"app_id":2}"#)] {
            let answer = try await kakao(token)
            #expect(answer.status == .badRequest)
            #expect(try error(answer) == "REQUEST_019")
        }
        let none = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/kakao")
        #expect(try error(none) == "REQUEST_019")
        try await world.sandbox.fail("kakao", #""kind":"http","status":502,"count":1"#)
        let down = try await kakao(world.kakao(#"{"id":1}"#))
        #expect(down.status == .serviceUnavailable)
        #expect(try error(down) == "RESPONSE_002")
    }

    @Test func signUpAndSignIn_requireVerifiedPhone() async throws {
        let form = AuthWorld.signUpForm(Self.number)
        let post = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: form)
        #expect(post.status == .badRequest)
        #expect(try error(post) == "USER_002")
        #expect(try error(await signIn()) == "USER_002")
        _ = try await world.companion(Self.number)
        #expect(try error(await signIn()) == "USER_002")
        try await world.prove(Self.number, flow: "signin")
        #expect(try error(await signIn(from: "203.0.113.8")) == "USER_002")
        #expect(try await signIn().status == .ok)
        #expect(try error(await signIn()) == "USER_002")
    }

    @Test(arguments: [("10 minutes", "signup"), ("10 minutes", "signin"), ("1 minute", "after sign-up")])
    func phoneVerification_expires(age: String, what: String) async throws {
        let database = TestDatabase.current.client
        if what == "signin" { _ = try await world.companion(Self.number) }
        try await world.prove(Self.number, flow: what == "signin" ? "signin" : "signup")
        let form = AuthWorld.signUpForm(Self.number)
        if what == "after sign-up" {
            _ = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: form)
        }
        try await database.execute("UPDATE phone_proofs SET proved_at = now() - \(age)::interval")
        let late =
            what == "signup"
            ? try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: form)
            : try await signIn()
        #expect(try error(late) == "USER_002")
    }

    @Test func concurrentSignUpsWithSamePhone_createOneAccount() async throws {
        var ids: [Int64] = []
        for id in 0..<8 { ids.append(try await social(kakao: id).userId) }
        try await world.prove(Self.number, flow: "signup")
        let answers = try await withThrowingTaskGroup(of: String.self) { [ids] group in
            for id in ids {
                let form = AuthWorld.signUpForm(Self.number, userID: id)
                group.addTask {
                    let answer = try await signUp(form)
                    return answer.status == .ok ? "ok" : "\(answer.status.code) \(try error(answer))"
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == "ok" } == 1)
        #expect(answers.count { $0 == "409 USER_003" } == 7)
        #expect(try await accounts() == 1)
        #expect(try await signIn().status == .ok)
    }

    @Test func socialIdentity_hasOneAccount() async throws {
        let first = try await social(kakao: 1).userId
        let second = try await social(kakao: 1).userId
        #expect(first != second)
        try await world.prove("01000000001", flow: "signup")
        try await world.prove("01000000002", flow: "signup")
        #expect(try await signUp(AuthWorld.signUpForm("01000000001", userID: first)).status == .ok)
        let other = try await signUp(AuthWorld.signUpForm("01000000002", userID: second))
        #expect(other.status == .conflict)
        #expect(try error(other) == "USER_003")
        #expect(try await accounts() == 1)
    }

    @Test func unknownOrExpiredSignUp_returns404() async throws {
        try await world.prove(Self.number, flow: "signup")
        let guess = try await signUp(AuthWorld.signUpForm(Self.number, userID: 1))
        #expect(guess.status == .notFound)
        #expect(try error(guess) == "USER_001")
        let begun = try await social(kakao: 1).userId
        try await TestDatabase.current.client.execute("UPDATE pending_sign_ups SET expires_at = now()")
        let late = try await signUp(AuthWorld.signUpForm(Self.number, userID: begun))
        #expect(late.status == .notFound)
        let missing = try await signUp(AuthWorld.signUpForm(Self.number))
        #expect(try error(missing) == "REQUEST_001")
        let fresh = try await social(kakao: 1).userId
        #expect(try await signUp(AuthWorld.signUpForm(Self.number, userID: fresh)).status == .ok)
        let another = AuthWorld.signUpForm("01000000002", userID: fresh)
        try await world.prove("01000000002", flow: "signup")
        #expect(try await signUp(another).status == .notFound)
    }

    @Test(arguments: [
        ("phoneNumber", #""0101234567""#, "REQUEST_001"), ("phoneNumber", "null", "REQUEST_001"),
        ("nickname", #""수""#, "REQUEST_001"), ("nickname", #""수 현""#, "REQUEST_001"),
        ("nickname", #""수현!""#, "REQUEST_001"), ("nickname", #""가나다라마바사아자차카타파""#, "REQUEST_001"),
        ("birthYear", #""2001""#, "REQUEST_001"), ("birthYear", "1", "REQUEST_001"), ("gender", "null", "REQUEST_001"),
        ("profileImage", "null", "REQUEST_001"), ("profileImage", #""img_black_suma""#, "CONSTANT_002"),
        ("region", #""서울""#, "POST_003"), ("region", "7", "REQUEST_001"),
    ])
    func invalidSignUp_returnsErrorCode(field: String, value: String, code: String) async throws {
        let good = [
            "phoneNumber": #""01012345678""#, "nickname": #""ㅅ수현12""#, "birthYear": "2001", "gender": "true",
            "profileImage": #""img_blue_suma""#, "region": #""서울 전체""#,
        ]
        let body = good.merging([field: value]) { $1 }.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
        let answer = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: "{\(body)}")
        #expect(answer.status == .badRequest)
        #expect(try error(answer) == code)
        #expect(try await accounts() == 0)
    }

    @Test func invalidSignUp_listsEveryViolation() async throws {
        let answer = try await world.client(.withsuhyeon).send(.post, "/api/v1/auth/signup", json: "{}")
        let message = try answer.json(Refusal.self).message
        for field in ["phoneNumber", "nickname", "birthYear", "gender", "profileImage", "region"] {
            #expect(message.contains(field))
        }
        #expect(message.count { $0 == "\n" } == 6)
    }
}
