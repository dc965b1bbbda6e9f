import AsyncHTTPClient
import Authentication
import Contracts
import Crypto
import FoundationEssentials
import JWTKit
import ServiceKit

/// Sign in with Apple: identity tokens, authorization codes, and revocation (SeatCatcher contract 7, Anlaka 6.4, MOUP
/// 7).
struct AppleClient: Sendable {
    private let connection: ProviderConnection
    private let endpoint: TokenEndpoint
    private let tokens: IdentityTokens
    private let clientIDs: AppIDs
    private let secret: AppleClientSecret

    init(_ settings: ProviderSettings, http: HTTPClient) {
        connection = ProviderConnection(provider: "Apple", baseURL: settings.appleURL, http: http)
        endpoint = TokenEndpoint(connection: connection, path: "/auth/token")
        tokens = IdentityTokens(
            connection: connection,
            keysPath: "/auth/keys",
            issuers: [AppleClientSecret.audience]
        )
        clientIDs = settings.appleAudiences
        secret = AppleClientSecret(
            teamID: settings.appleTeamID,
            keyID: settings.appleKeyID,
            key: settings.applePrivateKey
        )
    }

    /// The identity of an identity token from the client. A token wrapped in base64 is unwrapped; an unsigned one is
    /// rejected.
    ///
    /// - Parameter code: the authorization code sent with the token, exchanged for the refresh token that later revokes
    ///   the link. The token alone is decisive: if the exchange fails, the sign-in succeeds and the link has no refresh
    ///   token.
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(identityToken: String, app: App, nonce: Nonce, code: String? = nil) async throws -> SocialIdentity {
        let claims = try await tokens.read(Self.unwrapped(identityToken), audiences: clientIDs[app])
        guard nonce.permits(claims.nonce) else { throw AccountError.socialTokenRefused }
        var identity = SocialIdentity(claims, provider: .apple)
        identity.spent = claims.proof
        if let code, !code.isEmpty {
            identity.refreshToken = try? await exchange(Self.unwrapped(code), as: claims.audience).refreshToken
        }
        return identity
    }

    /// The identity of an authorization code. Apple accepts a code once.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(code: String, app: App) async throws -> SocialIdentity {
        for clientID in clientIDs[app] {
            do {
                let given = try await exchange(code, as: clientID)
                let claims = try await tokens.read(given.idToken, audiences: [clientID])
                var identity = SocialIdentity(claims, provider: .apple)
                identity.refreshToken = given.refreshToken
                return identity
            } catch AccountError.socialTokenRefused {
                // An app may have several client ids, and Apple accepts the code only for the right one.
                continue
            }
        }
        throw AccountError.socialTokenRefused
    }

    /// Revokes a refresh token and with it the link. A token unknown to Apple counts as revoked.
    ///
    /// - Throws: `ProviderUnavailable`.
    func revoke(refreshToken: String, app: App) async throws {
        for clientID in clientIDs[app] {
            let form = [
                "client_id": clientID, "client_secret": try secret.text(for: clientID), "token": refreshToken,
                "token_type_hint": "refresh_token",
            ]
            let answer = try await connection.post("/auth/revoke", form: form)
            guard answer.status == 200 || ["invalid_grant", "invalid_request"].contains(answer.error) else {
                throw connection.refusesUs(answer, "/auth/revoke")
            }
        }
    }

    /// Decodes a server-to-server notification (Apple: Processing changes for Sign in with Apple accounts); nil for one
    /// without effect here, such as a change of the mail relay.
    ///
    /// - Throws: `AccountError.socialTokenRefused` for one that is not from Apple or not for this app,
    ///   `ProviderUnavailable`.
    func notice(payload: String, app: App) async throws -> ProviderWebhook? {
        let claims = try await tokens.claims(of: payload, as: AppleNotificationClaims.self)
        guard claims.iss.value == AppleClientSecret.audience,
            clientIDs[app].contains(where: claims.aud.value.contains)
        else { throw AccountError.socialTokenRefused }
        guard let event = claims.event, let kind = event.kind else { return nil }
        return ProviderWebhook(id: claims.jti.value, app: app, provider: .apple, subject: event.sub, kind: kind)
    }

    private func exchange(_ code: String, as clientID: String) async throws -> TokenEndpoint.Tokens {
        try await endpoint.exchange(code: code, clientID: clientID, clientSecret: secret.text(for: clientID))
    }

    /// One version of SeatCatcher's client sends the token and the code in base64.
    private static func unwrapped(_ text: String) -> String {
        guard !text.contains("."), let data = Data(base64Encoded: text), data.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return text }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The client secret for Apple: a JWT signed with the team's key (MOUP contract 7).
struct AppleClientSecret: Sendable {
    let teamID: String
    let keyID: String
    let key: P256.Signing.PrivateKey

    static let audience = "https://appleid.apple.com"
    private static let lifetime: Int64 = 300

    func text(for clientID: String) throws -> String {
        let now = Int64(Date.now.timeIntervalSince1970)
        let claims = Claims(iss: teamID, iat: now, exp: now + Self.lifetime, aud: Self.audience, sub: clientID)
        return try SignedToken.sign(claims, kid: keyID, key: key)
    }

    private struct Claims: Encodable {
        var iss: String
        var iat: Int64
        var exp: Int64
        var aud: String
        var sub: String
    }
}

extension SocialIdentity {
    init(_ claims: IdentityClaims, provider: Provider) {
        self.init(provider: provider, subject: claims.subject, email: claims.email, name: claims.name)
    }
}
