import AsyncHTTPClient
import Contracts
import FoundationEssentials
import ServiceKit

/// Sign in with Google: authorization codes and revocation (MOUP contract 7).
struct GoogleClient: Sendable {
    private let connection: ProviderConnection
    private let endpoint: TokenEndpoint
    private let tokens: IdentityTokens
    private let clientIDs: AppIDs
    private let clientSecret: String

    init(_ settings: ProviderSettings, http: HTTPClient) {
        connection = ProviderConnection(provider: "Google", baseURL: settings.googleURL, http: http)
        endpoint = TokenEndpoint(connection: connection, path: "/token")
        tokens = IdentityTokens(
            connection: ProviderConnection(provider: "Google", baseURL: settings.googleKeysURL, http: http),
            keysPath: "",
            issuers: ["https://accounts.google.com", "accounts.google.com"]
        )
        clientIDs = settings.googleClientIDs
        clientSecret = settings.googleClientSecret
    }

    /// The identity of an authorization code. Google accepts a code once, and returns a refresh token only for the
    /// first sign-in.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(code: String, app: App) async throws -> SocialIdentity {
        for clientID in clientIDs[app] {
            do {
                let given = try await endpoint.exchange(code: code, clientID: clientID, clientSecret: clientSecret)
                let claims = try await tokens.read(given.idToken, audiences: [clientID])
                var identity = SocialIdentity(claims, provider: .google)
                identity.refreshToken = given.refreshToken
                return identity
            } catch AccountError.socialTokenRefused {
                // An app may have several client ids, and Google accepts the code only for the right one.
                continue
            }
        }
        throw AccountError.socialTokenRefused
    }

    /// Revokes a token and with it the link. A token unknown to Google counts as revoked.
    ///
    /// - Throws: `ProviderUnavailable`.
    func revoke(token: String) async throws {
        let answer = try await connection.post("/revoke", form: ["token": token])
        guard answer.status == 200 || ["invalid_token", "invalid_request"].contains(answer.error) else {
            throw connection.refusesUs(answer, "/revoke")
        }
    }
}
