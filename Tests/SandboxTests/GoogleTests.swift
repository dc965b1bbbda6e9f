import FoundationEssentials
import JWTKit
import Testing

@Suite(.sandbox) struct GoogleTests {
    private let sandbox = SandboxClient.current

    struct Tokens: Decodable {
        var accessToken: String
        var refreshToken: String?
        var expiresIn: Int
        var tokenType: String
        var idToken: String
    }

    struct Claims: JWTPayload {
        var iss: String
        var aud: String
        var sub: String
        var email: String?
        var emailVerified: Bool?
        var name: String?
        var exp: ExpirationClaim

        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, email, name, exp
            case emailVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) throws { try exp.verifyNotExpired() }
    }

    private func claims(_ token: String) async throws -> Claims {
        let published = try await sandbox.get("/google/oauth2/v3/certs").text
        let keys = JWTKeyCollection()
        try await keys.add(jwks: JSONDecoder().decode(JWTKit.JWKS.self, from: Data(published.utf8)))
        return try await keys.verify(token, as: Claims.self)
    }

    @Test func codeOfTestUser_canBeUsedTwice() async throws {
        for _ in 0..<2 {
            let tokens = try await sandbox.googleExchange("test-user-owner").decode(Tokens.self)
            #expect(try await claims(tokens.idToken).sub == "owner")
        }
        #expect(try await sandbox.googleExchange("test-user-").status == 400)
    }

    @Test func codeExchange_returnsIdentityOfUser() async throws {
        let code = try await sandbox.googleCode(#"{"sub":"7","email":"a@example.com","name":"하루"}"#)
        let answer = try await sandbox.googleExchange(code)
        #expect(answer.status == 200)
        let tokens = try answer.decode(Tokens.self)
        #expect(tokens.tokenType == "Bearer")
        #expect(tokens.refreshToken?.isEmpty == false)
        let claims = try await claims(tokens.idToken)
        #expect(claims.iss == "https://accounts.google.com")
        #expect(claims.aud == "madang.dev")
        #expect(claims.sub == "7")
        #expect(claims.email == "a@example.com")
        #expect(claims.emailVerified == true)
        #expect(claims.name == "하루")
    }

    @Test func refreshToken_isIssuedOnFirstExchangeOnly() async throws {
        func exchange(_ sub: String) async throws -> Tokens {
            let code = try await sandbox.googleCode(#"{"sub":"\#(sub)"}"#)
            return try await sandbox.googleExchange(code).decode(Tokens.self)
        }
        let first = try #require(await exchange("7").refreshToken)
        let second = try await exchange("7")
        #expect(second.refreshToken == nil)
        #expect(try await exchange("8").refreshToken != nil)

        let revoked = try await sandbox.post("/google/revoke", form: ["token": second.accessToken])
        #expect(revoked.status == 200)
        let again = try await sandbox.post("/google/revoke", form: ["token": first])
        again.expectError("invalid_token")
        #expect(try await exchange("7").refreshToken != nil)
    }

    @Test func usedExpiredOrForeignCode_isRefused() async throws {
        let code = try await sandbox.googleCode(#"{"sub":"7"}"#)
        let late = try await sandbox.googleCode(#"{"sub":"7","expired":true}"#)
        let foreign = try await sandbox.googleCode(#"{"sub":"7","aud":"another.app"}"#)
        #expect(try await sandbox.googleExchange(code).status == 200)
        for refused in [code, late, foreign, "4/unknown"] {
            let answer = try await sandbox.googleExchange(refused)
            answer.expectError("invalid_grant")
        }
    }

    @Test(arguments: [
        (["code": ""], 400, "invalid_request"), (["client_id": ""], 400, "invalid_request"),
        (["client_secret": ""], 401, "invalid_client"), (["grant_type": "password"], 400, "unsupported_grant_type"),
    ])
    func incompleteRequest_isRefused(change: [String: String], status: Int, error: String) async throws {
        let code = try await sandbox.googleCode(#"{"sub":"7"}"#)
        let answer = try await sandbox.googleExchange(code, change)
        answer.expectError(error, status: status)
    }
}

extension SandboxClient {
    /// Signs a user in with Google and returns the authorization code.
    func googleCode(_ json: String) async throws -> String {
        try #require(await post("/_control/google/codes", json: json).texts["authorization_code"])
    }

    func googleExchange(_ code: String, _ change: [String: String] = [:]) async throws -> Reply {
        let form = [
            "grant_type": "authorization_code", "code": code, "client_id": "madang.dev", "client_secret": "secret",
            "redirect_uri": "",
        ]
        return try await post("/google/token", form: form.merging(change) { $1 })
    }
}
