import Contracts
package import Crypto

/// Verifies access tokens. Pure and synchronous: a caller with a cache of verified tokens pays for the signature once.
package struct AccessTokenVerifier: Sendable {
    /// Seconds after `exp` during which a token still counts, since clients refresh by clocks of their own.
    package var leeway: Int64

    package init(leeway: Int64 = 30) {
        self.leeway = leeway
    }

    /// The claims of a token.
    ///
    /// - Parameters:
    ///   - token: the compact serialisation, without `Bearer`.
    ///   - keys: the published keys by `kid`.
    ///   - now: seconds since 1970.
    /// - Throws: `TokenProblem`; a refresh token is `wrongType` (RFC 8725 §3.11).
    package func verify(
        _ token: some StringProtocol,
        keys: [String: P256.Signing.PublicKey],
        now: Int64
    ) throws(TokenProblem) -> AccessClaims {
        let claims = try SignedToken.claims(of: token, as: TokenClaims.self, keys: keys).checked("access")
        guard now - leeway < claims.expiresAt else { throw .expired }
        return AccessClaims(
            account: claims.account,
            session: claims.session,
            app: claims.app,
            generation: claims.generation,
            expiresAt: claims.expiresAt
        )
    }
}
