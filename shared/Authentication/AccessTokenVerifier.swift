import Contracts
package import Crypto

/// Verifies access tokens. Pure and synchronous; callers should cache verified tokens to avoid repeated signature
/// checks.
package struct AccessTokenVerifier: Sendable {
    /// Seconds after `exp` during which a token is still accepted, because clients schedule refreshes by their own
    /// clocks.
    package var leeway: Int64

    package init(leeway: Int64 = 30) {
        self.leeway = leeway
    }

    /// The claims of a token.
    ///
    /// - Parameters:
    ///   - token: The compact serialisation, without `Bearer`.
    ///   - keys: The published keys by `kid`.
    ///   - now: Seconds since 1970.
    ///   - checksExpiry: False for a caller that decides about an expired token by its claims.
    /// - Throws: `TokenProblem`; a refresh token is `wrongType` (RFC 8725 §3.11).
    package func verify(
        _ token: some StringProtocol,
        keys: [String: P256.Signing.PublicKey],
        now: Int64,
        checksExpiry: Bool = true
    ) throws(TokenProblem) -> AccessClaims {
        let claims = try SignedToken.claims(of: token, as: TokenClaims.self, keys: keys)
            .checked("access", validAt: now + leeway)
        guard !checksExpiry || now - leeway < claims.expiresAt else { throw .expired }
        return AccessClaims(
            account: claims.account,
            session: claims.session,
            app: claims.app,
            generation: claims.generation,
            expiresAt: claims.expiresAt
        )
    }
}
