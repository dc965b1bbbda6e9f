import FoundationEssentials
import JWTKit
import Testing

@testable import Sandbox

/// A service account as a server uses it: the key that Google's console offers, and assertions signed with it.
struct FCMServiceKey: Sendable {
    let sandbox: SandboxClient
    let account: Account
    private let keys: JWTKeyCollection

    struct Account: Decodable, Sendable {
        var type: String
        var projectId: String
        var privateKeyId: String
        var privateKey: String
        var clientEmail: String
        var clientId: String
        var tokenUri: String
    }

    struct Claims: JWTPayload {
        var iss: String?
        var aud: String?
        var scope: String?
        var iat: Int?
        var exp: Int?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    init(of project: String, at sandbox: SandboxClient) async throws {
        self.sandbox = sandbox
        let reply = try await sandbox.get("/_control/fcm/service-accounts/\(project)")
        #expect(reply.status == 200)
        account = try reply.decode()
        keys = JWTKeyCollection()
        let key = try Insecure.RSA.PrivateKey(pem: account.privateKey)
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: account.privateKeyId))
    }

    /// The claims of a valid assertion.
    var claims: Claims {
        let now = Int(Date.now.timeIntervalSince1970)
        return Claims(
            iss: account.clientEmail,
            aud: account.tokenUri,
            scope: "https://www.googleapis.com/auth/firebase.messaging",
            iat: now,
            exp: now + 3600
        )
    }

    func sign(_ claims: Claims) async throws -> String {
        try await keys.sign(claims, kid: JWKIdentifier(string: account.privateKeyId))
    }

    func exchange(_ assertion: String) async throws -> Reply {
        let type = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        return try await sandbox.post("/fcm/oauth2/token", form: ["grant_type": type, "assertion": assertion])
    }

    func accessToken() async throws -> String {
        let reply = try await exchange(sign(claims))
        #expect(reply.status == 200, "\(reply.text)")
        return try reply.decode(Answer.self).accessToken
    }

    struct Answer: Decodable {
        var accessToken: String
        var expiresIn: Int
        var tokenType: String
    }
}
