import AsyncHTTPClient
import Authentication
import Contracts
import Crypto
import FoundationEssentials
import JWTKit
import Providers

/// Sign in with Apple: identity tokens, authorization codes, and the end of a link (SeatCatcher contract 7, Anlaka 6.4,
/// MOUP 7).
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

    /// Whom an identity token vouches for, which the phone got. A token that arrives wrapped in base64 once more is
    /// unwrapped; anything that is not signed is refused.
    ///
    /// - Parameter code: what came with the token. It is turned into the refresh token by which the link can be ended
    ///   later. The token alone decides: a code that Apple does not take, or has no time for, leaves the link without a
    ///   refresh token, and nobody outside.
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

    /// Whom an authorization code vouches for. Apple takes a code once.
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
                // An app may have more than one client id, and Apple tells only the right one.
                continue
            }
        }
        throw AccountError.socialTokenRefused
    }

    /// Ends the link that a refresh token stands for. One that Apple does not know (any more) is ended.
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

    /// What a server-to-server notification says (Apple: Processing changes for Sign in with Apple accounts); nil for what
    /// does not concern us, such as a change of the mail relay.
    ///
    /// - Throws: `AccountError.socialTokenRefused` for what is not Apple's or not for this app, `ProviderUnavailable`.
    func notice(payload: String, app: App) async throws -> ProviderNotice? {
        let claims = try await tokens.claims(of: payload, as: AppleNoticeClaims.self)
        guard claims.iss.value == AppleClientSecret.audience,
            clientIDs[app].contains(where: claims.aud.value.contains)
        else { throw AccountError.socialTokenRefused }
        guard let event = claims.event, let kind = event.kind else { return nil }
        return ProviderNotice(id: claims.jti.value, app: app, provider: .apple, subject: event.sub, kind: kind)
    }

    private func exchange(_ code: String, as clientID: String) async throws -> TokenEndpoint.Tokens {
        try await endpoint.exchange(code: code, clientID: clientID, clientSecret: secret.text(for: clientID))
    }

    /// One build of SeatCatcher's client sends base64 of the whole token, and of the code.
    private static func unwrapped(_ text: String) -> String {
        guard !text.contains("."), let data = Data(base64Encoded: text), data.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return text }
        return String(decoding: data, as: UTF8.self)
    }
}

/// What proves to Apple who we are: a JWT of ours, signed with the team's key (MOUP contract 7).
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
