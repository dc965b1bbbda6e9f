package import Contracts
package import Crypto

/// The claims of a verified refresh token. Only the auth service knows whether its session is active and the token is
/// the newest one.
package struct RefreshClaims: Sendable, Equatable {
    /// The account id, unique over all apps.
    package var account: AccountID
    package var session: String
    package var app: App
    /// The number of refreshes of the session before the token was issued.
    package var generation: Int
    /// Seconds since 1970.
    package var expiresAt: Int64
}

/// Verifies the signature of refresh tokens, so that invalid ones cause no call of the auth service. Pure and
/// synchronous, like `AccessTokenVerifier`.
package struct RefreshTokenVerifier: Sendable {
    package init() {}

    /// The claims of a token, which may have expired.
    ///
    /// - Parameters:
    ///   - token: The compact serialisation.
    ///   - keys: The published keys by `kid`.
    /// - Throws: `TokenProblem`, but never `expired`; an access token is `wrongType` (RFC 8725 §3.11).
    package func verify(
        _ token: some StringProtocol,
        keys: [String: P256.Signing.PublicKey]
    ) throws(TokenProblem) -> RefreshClaims {
        let claims = try SignedToken.claims(of: token, as: TokenClaims.self, keys: keys).checked("refresh")
        return RefreshClaims(
            account: claims.account,
            session: claims.session,
            app: claims.app,
            generation: claims.generation,
            expiresAt: claims.expiresAt
        )
    }
}
