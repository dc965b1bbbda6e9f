import Testing

@testable import Sandbox

@Suite(.sandbox) struct FCMTokenRoutesTests {
    private let sandbox = SandboxClient.current

    @Test func serviceAccount_isIssuedPerProject() async throws {
        let account = try await FCMServiceKey(of: "moup", at: sandbox).account
        #expect(account.type == "service_account")
        #expect(account.projectId == "moup")
        #expect(account.clientEmail == "firebase-adminsdk@moup.iam.gserviceaccount.com")
        #expect(account.tokenUri == "http://localhost/fcm/oauth2/token")
        #expect(account.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(account.privateKey.hasSuffix("\n-----END PRIVATE KEY-----\n"))
        let other = try await FCMServiceKey(of: "with-suhyeon-1", at: sandbox).account
        #expect(other.clientEmail == "firebase-adminsdk@with-suhyeon-1.iam.gserviceaccount.com")
        #expect(other.privateKeyId == account.privateKeyId)
        for project in ["Moup", "1moup", "mo_up", "a234567890123456789012345678901"] {
            let refusal = try await sandbox.get("/_control/fcm/service-accounts/\(project)")
            #expect(refusal.status == 400, "\(project)")
            #expect(refusal.texts["message"]?.hasPrefix("project ") == true)
        }
    }

    @Test func validAssertion_returnsAccessToken() async throws {
        let key = try await FCMServiceKey(of: "moup", at: sandbox)
        let reply = try await key.exchange(key.sign(key.claims))
        #expect(reply.status == 200)
        let answer = try reply.decode(FCMServiceKey.Answer.self)
        #expect(answer.accessToken.hasPrefix("ya29."))
        #expect(answer.expiresIn == 3599)
        #expect(answer.tokenType == "Bearer")
        let again = try await key.exchange(key.sign(key.claims)).decode(FCMServiceKey.Answer.self)
        #expect(again.accessToken != answer.accessToken)
    }

    /// A flaw of an assertion, and Google's error for it.
    enum Flaw: CaseIterable, Sendable {
        case foreignIssuer, noIssuer, foreignAudience, otherScope, noScope, past, tooLong, ahead, noTime

        func put(into claims: inout FCMServiceKey.Claims) {
            switch self {
            case .foreignIssuer: claims.iss = "firebase-adminsdk@MOUP.iam.gserviceaccount.com"
            case .noIssuer: claims.iss = nil
            case .foreignAudience: claims.aud = "https://oauth2.googleapis.com/token"
            case .otherScope: claims.scope = "https://www.googleapis.com/auth/firebase"
            case .noScope: claims.scope = nil
            case .past: (claims.iat, claims.exp) = ((claims.iat ?? 0) - 3601, (claims.exp ?? 0) - 3601)
            case .tooLong: claims.exp = (claims.exp ?? 0) + 1
            case .ahead: (claims.iat, claims.exp) = ((claims.iat ?? 0) + 330, (claims.exp ?? 0) + 330)
            case .noTime: claims.exp = nil
            }
        }

        var error: String { [.otherScope, .noScope].contains(self) ? "invalid_scope" : "invalid_grant" }
    }

    @Test(arguments: Flaw.allCases) func flawedAssertion_isRefused(_ flaw: Flaw) async throws {
        let key = try await FCMServiceKey(of: "moup", at: sandbox)
        var claims = key.claims
        flaw.put(into: &claims)
        let reply = try await key.exchange(key.sign(claims))
        reply.expectError(flaw.error)
        #expect(reply.texts["error_description"]?.isEmpty == false)
    }

    @Test func assertion_clockAhead_isAccepted() async throws {
        let key = try await FCMServiceKey(of: "moup", at: sandbox)
        var claims = key.claims
        (claims.iat, claims.exp) = ((claims.iat ?? 0) + 200, (claims.exp ?? 0) + 200)
        claims.scope = "openid https://www.googleapis.com/auth/firebase.messaging"
        let reply = try await key.exchange(key.sign(claims))
        #expect(reply.status == 200)
    }

    @Test func assertion_withInvalidSignature_isRefused() async throws {
        let key = try await FCMServiceKey(of: "moup", at: sandbox)
        let good = try await key.sign(key.claims)
        let parts = good.split(separator: ".").map(String.init)
        var otherClaims = key.claims
        otherClaims.iss = "firebase-adminsdk@anlaka.iam.gserviceaccount.com"
        let other = try await key.sign(otherClaims).split(separator: ".").map(String.init)
        for text in [
            "\(parts[0]).\(parts[1]).\(other[2])", "\(parts[0]).\(other[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(parts[1])", "text",
        ] {
            let reply = try await key.exchange(text)
            reply.expectError("invalid_grant")
        }
    }

    @Test(arguments: [
        ([:], "invalid_request"), (["grant_type": "authorization_code", "assertion": "x"], "unsupported_grant_type"),
        (["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"], "invalid_request"),
    ])
    func otherGrants_areRefused(form: [String: String], error: String) async throws {
        let reply = try await sandbox.post("/fcm/oauth2/token", form: form)
        reply.expectError(error)
    }

    @Test func fault_ofTokenCall_hasFormatOfGoogle() async throws {
        try await sandbox.fault("http", of: "fcm", status: 500)
        let reply = try await sandbox.post("/fcm/oauth2/token", form: [:])
        reply.expectError("internal_failure", status: 500)
    }
}
