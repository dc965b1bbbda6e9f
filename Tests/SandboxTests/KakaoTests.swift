import Testing

@Suite(.sandbox) struct KakaoTests {
    private let sandbox = SandboxClient.current

    struct Profile: Decodable {
        var id: Int64
        var connectedAt: String
        var kakaoAccount: Account

        struct Account: Decodable {
            var email: String?
            var isEmailValid: Bool?
            var isEmailVerified: Bool?
            var profile: Nickname?
        }

        struct Nickname: Decodable {
            var nickname: String?
        }
    }

    struct TokenInfo: Decodable, Equatable {
        var id: Int64
        var expiresIn: Int
        var appId: Int64
    }

    struct Refusal: Decodable, Equatable {
        var msg: String
        var code: Int
    }

    @Test func token_returnsProfileOfUser() async throws {
        let token = try await sandbox.kakaoToken(#"{"id": 42, "nickname": "강남", "email": "a@example.com"}"#)
        let me = try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)")
        #expect(me.status == 200)
        let profile = try me.decode(Profile.self)
        #expect(profile.id == 42)
        #expect(profile.connectedAt.hasSuffix("Z"))
        #expect(profile.kakaoAccount.profile?.nickname == "강남")
        #expect(profile.kakaoAccount.email == "a@example.com")
        #expect(profile.kakaoAccount.isEmailValid == true)
        #expect(profile.kakaoAccount.isEmailVerified == true)
    }

    @Test func tokenOfTestUser_isValidWithoutAControl() async throws {
        for _ in 0..<2 {
            let me = try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer test-user-77")
            #expect(try me.decode(Profile.self).id == 77)
        }
        for token in ["test-user-", "test-user-x", "Test-user-77"] {
            #expect(try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)").status == 401)
        }
    }

    @Test func profile_withoutConsent_omitsFields() async throws {
        let token = try await sandbox.kakaoToken(#"{"id": 42}"#)
        let me = try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)")
        let account = try me.decode(Profile.self).kakaoAccount
        #expect(account.email == nil)
        #expect(account.profile == nil)
        #expect(!me.text.contains("null"))
    }

    @Test(arguments: [(#"{"id": 7}"#, Int64(1)), (#"{"id": 7, "app_id": 99}"#, 99)])
    func tokenInfo_hasAppID(request: String, app: Int64) async throws {
        let token = try await sandbox.kakaoToken(request)
        let info = try await sandbox.get("/kakao/v1/user/access_token_info", authorization: "Bearer \(token)")
        let facts = try info.decode(TokenInfo.self)
        #expect(facts.id == 7)
        #expect(facts.appId == app)
        #expect((21_000...21_599).contains(facts.expiresIn))
    }

    @Test(arguments: [nil, "Bearer nonsense", "Bearer ", "Basic abc"], ["v2/user/me", "v1/user/access_token_info"])
    func unknownToken_returns401(authorization: String?, path: String) async throws {
        let reply = try await sandbox.get("/kakao/\(path)", authorization: authorization)
        #expect(reply.status == 401)
        #expect(try reply.decode(Refusal.self).code == -401)
    }

    @Test func expiredToken_returns401() async throws {
        let token = try await sandbox.kakaoToken(#"{"id": 42, "expires_in": 0}"#)
        let reply = try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)")
        #expect(reply.status == 401)
        #expect(try reply.decode(Refusal.self) == Refusal(msg: "this access token is already expired", code: -401))
    }

    @Test func unlinkByAdmin_revokesAllTokensOfUser() async throws {
        let first = try await sandbox.kakaoToken(#"{"id": 42}"#)
        let second = try await sandbox.kakaoToken(#"{"id": 42}"#)
        let other = try await sandbox.kakaoToken(#"{"id": 43}"#)
        let form = ["target_id_type": "user_id", "target_id": "42"]
        let unlinked = try await sandbox.post("/kakao/v1/user/unlink", form: form, authorization: "KakaoAK admin")
        #expect(unlinked.status == 200)
        #expect(try unlinked.decode([String: Int64].self) == ["id": 42])
        for token in [first, second] {
            let reply = try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)")
            #expect(reply.status == 401)
        }
        #expect(try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(other)").status == 200)

        let again = try await sandbox.post("/kakao/v1/user/unlink", form: form, authorization: "KakaoAK admin")
        #expect(again.status == 400)
        #expect(try again.decode(Refusal.self).code == -101)
    }

    @Test func unlinkByUser_revokesToken() async throws {
        let token = try await sandbox.kakaoToken(#"{"id": 42}"#)
        let reply = try await sandbox.post("/kakao/v1/user/unlink", form: [:], authorization: "Bearer \(token)")
        #expect(try reply.decode([String: Int64].self) == ["id": 42])
        #expect(try await sandbox.get("/kakao/v2/user/me", authorization: "Bearer \(token)").status == 401)
    }

    @Test(arguments: [
        (form: ["target_id": "42"], authorization: "KakaoAK admin", status: 400, code: -2),
        (form: ["target_id_type": "user_id", "target_id": "x"], authorization: "KakaoAK admin", status: 400, code: -2),
        (form: ["target_id_type": "user_id", "target_id": "42"], authorization: nil, status: 401, code: -401),
        (form: ["target_id_type": "user_id", "target_id": "42"], authorization: "KakaoAK ", status: 401, code: -401),
    ])
    func invalidUnlink_isRefused(form: [String: String], authorization: String?, status: Int, code: Int) async throws {
        let reply = try await sandbox.post("/kakao/v1/user/unlink", form: form, authorization: authorization)
        #expect(reply.status == status)
        #expect(try reply.decode(Refusal.self).code == code)
    }
}

extension SandboxClient {
    /// Signs a user in with Kakao and returns the access token.
    func kakaoToken(_ json: String) async throws -> String {
        try #require(await post("/_control/kakao/tokens", json: json).texts["access_token"])
    }
}
