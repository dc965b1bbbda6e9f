import ServiceKit

/// The exchange of an authorization code for tokens (RFC 6749 §4.1.3), as implemented by Apple and Google.
struct TokenEndpoint: Sendable {
    let connection: ProviderConnection
    let path: String

    struct Tokens: Decodable, Sendable {
        var idToken: String
        /// Google returns one for the first sign-in only.
        var refreshToken: String?

        enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case refreshToken = "refresh_token"
        }
    }

    /// - Throws: `AccountError.socialTokenRefused` for an invalid or expired code, `ProviderUnavailable`.
    func exchange(code: String, clientID: String, clientSecret: String) async throws -> Tokens {
        let form = [
            "grant_type": "authorization_code", "code": code, "client_id": clientID, "client_secret": clientSecret,
            // Native apps have no redirect URI, but Google requires the field.
            "redirect_uri": "",
        ]
        let answer = try await connection.post(path, form: form)
        if answer.status == 200, let tokens = answer.value(Tokens.self) { return tokens }
        switch answer.error {
        case "invalid_grant", "invalid_request": throw AccountError.socialTokenRefused
        default: throw connection.refusesUs(answer, path)
        }
    }
}
