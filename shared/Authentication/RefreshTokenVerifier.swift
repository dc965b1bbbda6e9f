package import Contracts
package import Crypto

/// What a verified refresh token says. Whether its session goes on, and whether the token is still the newest one, only the
/// auth service knows.
package struct RefreshClaims: Sendable, Equatable {
    /// The account, unique over all apps.
    package var account: Int64
    package var session: String
    package var app: App
    /// How often the session had been refreshed when the token was made.
    package var generation: Int
    /// Seconds since 1970.
    package var expiresAt: Int64
}

/// Verifies refresh tokens by their signature, so that whoever shows rubbish costs the auth service nothing. Pure and
/// synchronous, as `AccessTokenVerifier`.
package struct RefreshTokenVerifier: Sendable {
    package init() {}

    /// The claims of a token, which may be past its time.
    ///
    /// - Parameters:
    ///   - token: the compact serialisation.
    ///   - keys: the published keys by `kid`.
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
