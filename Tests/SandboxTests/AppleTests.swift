import Authentication
import Crypto
import FoundationEssentials
import JWTKit
import Testing

@testable import Sandbox

@Suite(.sandbox) struct AppleTests {
    private let sandbox = SandboxClient.current

    /// Identity tokens as JWTKit reads Apple's.
    struct Identity: JWTPayload {
        var iss: IssuerClaim
        var aud: AudienceClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim
        var email: String?
        var emailVerified: Bool?
        var nonce: String?

        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, exp, email, nonce
            case emailVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) throws {
            try exp.verifyNotExpired()
        }
    }

    struct Tokens: Decodable {
        var accessToken: String
        var tokenType: String
        var expiresIn: Int
        var refreshToken: String?
        var idToken: String
    }

    /// The keys that the sandbox publishes.
    private func keys() async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: sandbox.get("/apple/auth/keys").text)
        return keys
    }

    @Test func identityToken_verifiesWithPublishedKeys() async throws {
        let keys = try await keys()
        let request = #"{"sub": "001.a", "email": "a@example.com", "nonce": "n1", "aud": "com.example.app"}"#
        let made = try await sandbox.post("/_control/apple/tokens", json: request).texts
        let identity = try await keys.verify(try #require(made["identity_token"]), as: Identity.self)
        #expect(identity.iss.value == "https://appleid.apple.com")
        #expect(identity.aud.value == ["com.example.app"])
        #expect(identity.sub.value == "001.a")
        #expect(identity.email == "a@example.com")
        #expect(identity.emailVerified == true)
        #expect(identity.nonce == "n1")
    }

    @Test func token_withoutAudience_isForDevelopment() async throws {
        let keys = try await keys()
        let made = try await sandbox.post("/_control/apple/tokens", json: #"{"sub": "001.a"}"#).texts
        let identity = try await keys.verify(try #require(made["identity_token"]), as: Identity.self)
        #expect(identity.aud.value == ["madang.dev"])
        #expect(identity.email == nil)
        #expect(identity.nonce == nil)
    }

    @Test func expiredToken_isRefused() async throws {
        let keys = try await keys()
        let request = #"{"sub": "001.a", "expired": true}"#
        let made = try await sandbox.post("/_control/apple/tokens", json: request).texts
        let token = try #require(made["identity_token"])
        await #expect(throws: JWTError.self) { try await keys.verify(token, as: Identity.self) }
        let code = try #require(made["authorization_code"])
        let reply = try await sandbox.exchange(code: code)
        #expect(reply.status == 400)
        #expect(reply.texts == ["error": "invalid_grant"])
    }

    @Test func token_ofOtherSandbox_doesNotVerify() async throws {
        let another = JWTKeyCollection()
        let keys = String(decoding: try JSONEncoder().encode(["keys": [RSASigningKey().published]]), as: UTF8.self)
        try await another.add(jwksJSON: keys)
        let made = try await sandbox.post("/_control/apple/tokens", json: #"{"sub": "001.a"}"#).texts
        let token = try #require(made["identity_token"])
        await #expect(throws: JWTError.self) { try await another.verify(token, as: Identity.self) }
    }

    @Test func code_secondExchange_isRefused() async throws {
        let code = try await sandbox.appleCode()
        let first = try await sandbox.exchange(code: code)
        #expect(first.status == 200)
        let tokens = try first.decode(Tokens.self)
        #expect(tokens.tokenType == "Bearer")
        #expect(tokens.refreshToken != nil)
        let second = try await sandbox.exchange(code: code)
        #expect(second.status == 400)
        #expect(second.texts == ["error": "invalid_grant"])
    }

    @Test func concurrentExchanges_ofOneCode_oneSucceeds() async throws {
        let code = try await sandbox.appleCode()
        let statuses = try await concurrently(20) { _ in try await sandbox.exchange(code: code).status }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 19)
    }

    @Test func refreshToken_worksUntilRevoked() async throws {
        let tokens = try await sandbox.exchange(code: sandbox.appleCode()).decode(Tokens.self)
        let refresh = try #require(tokens.refreshToken)
        let form = ["grant_type": "refresh_token", "refresh_token": refresh]
        #expect(try await sandbox.apple("token", form).status == 200)

        // Apple responds 200 to an authorization code, an access token or an invalid token, and does nothing.
        for token in ["nonsense", tokens.accessToken] {
            #expect(try await sandbox.apple("revoke", ["token": token]).status == 200)
        }
        #expect(try await sandbox.apple("token", form).status == 200)

        let revoked = try await sandbox.apple("revoke", ["token": refresh, "token_type_hint": "refresh_token"])
        #expect(revoked.status == 200)
        #expect(revoked.text.isEmpty)
        #expect(try await sandbox.apple("token", form).texts == ["error": "invalid_grant"])
    }

    @Test(arguments: [
        (["grant_type": "authorization_code"], "invalid_request"),
        (["grant_type": "authorization_code", "code": "nonsense"], "invalid_grant"),
        (["grant_type": "refresh_token", "refresh_token": "nonsense"], "invalid_grant"),
        (["grant_type": "password"], "unsupported_grant_type"),
        ([:], "invalid_request"),
    ])
    func invalidTokenRequest_isRefused(form: [String: String], error: String) async throws {
        let reply = try await sandbox.apple("token", form)
        #expect(reply.status == 400)
        #expect(reply.texts == ["error": error])
    }

    @Test func codeOfOtherClient_isRefused_andStaysValid() async throws {
        let code = try await sandbox.appleCode()
        #expect(
            try await sandbox.exchange(code: code, client: "com.example.other").texts == ["error": "invalid_grant"]
        )
        #expect(try await sandbox.exchange(code: code).status == 200)
    }

    @Test(arguments: ClientSecret.bad)
    func invalidClientSecret_isRefused(secret: ClientSecret) async throws {
        let code = try await sandbox.appleCode()
        let form = ["grant_type": "authorization_code", "code": code]
        #expect(try await sandbox.apple("token", form, secret: secret).texts == ["error": "invalid_client"])
        #expect(
            try await sandbox.apple("revoke", ["token": "x"], secret: secret).texts == ["error": "invalid_client"]
        )
    }
}

/// The client secret that authenticates an app's server to Apple.
struct ClientSecret: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var iss = "TEAM000001"
    var sub = "madang.dev"
    var aud = "https://appleid.apple.com"
    var lifetime = 300.0
    /// Replaces the signed token.
    var literal: String?

    static let good = ClientSecret(testDescription: "good")
    static let bad = [
        ClientSecret(testDescription: "another client's", sub: "com.example.other"),
        ClientSecret(testDescription: "for another audience", aud: "https://example.com"),
        ClientSecret(testDescription: "without a team", iss: ""),
        ClientSecret(testDescription: "expired", lifetime: -1),
        ClientSecret(testDescription: "for too long", lifetime: 16_000_000),
        ClientSecret(testDescription: "not a token", literal: "secret"),
        ClientSecret(testDescription: "unsigned", literal: "eyJhbGciOiJub25lIiwia2lkIjoiayJ9.e30."),
    ]

    func text() throws -> String {
        if let literal { return literal }
        let exp = Date.now.timeIntervalSince1970 + lifetime
        let claims = Claims(iss: iss, sub: sub, aud: aud, iat: exp - 300, exp: exp)
        return try SignedToken.sign(claims, kid: "KEY0000001", key: P256.Signing.PrivateKey())
    }

    private struct Claims: Encodable {
        var iss: String
        var sub: String
        var aud: String
        var iat: Double
        var exp: Double
    }
}

extension SandboxClient {
    func appleCode() async throws -> String {
        let made = try await post("/_control/apple/tokens", json: #"{"sub": "001.a"}"#).texts
        return try #require(made["authorization_code"])
    }

    func apple(_ path: String, _ form: [String: String], secret: ClientSecret = .good) async throws -> Reply {
        let client = ["client_id": "madang.dev", "client_secret": try secret.text()]
        return try await post("/apple/auth/\(path)", form: form.merging(client) { $1 })
    }

    func exchange(code: String, client: String = "madang.dev") async throws -> Reply {
        var secret = ClientSecret.good
        secret.sub = client
        let form = [
            "grant_type": "authorization_code", "code": code, "client_id": client, "client_secret": try secret.text(),
        ]
        return try await post("/apple/auth/token", form: form)
    }
}
