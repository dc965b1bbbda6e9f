import Authentication
import Contracts
import FoundationEssentials

/// Makes and reads the tokens that phones carry: JWTs signed with ES256.
///
/// Both kinds state `sub` (the account), `sid` (the session), `app`, `typ`, `gen` (the generation), `iat`, `exp` and a
/// unique `jti`, so that junk is refused by its signature alone, before any database is asked.
struct TokenMint: Sendable {
    let ring: KeyRing
    let lifetimes: @Sendable (App) -> TokenLifetimes

    /// The pair of one generation of a session. The refresh token ends with the session.
    func pair(for session: Session, now: Date) throws -> TokenPair {
        var claims = claims(of: session, type: "refresh", now: now)
        claims.exp = Int64(session.family.expiresAt.timeIntervalSince1970)
        let refresh = try sign(claims, now: now)
        return TokenPair(accessToken: try accessToken(for: session, now: now), refreshToken: refresh)
    }

    /// A further access token of the present generation.
    func accessToken(for session: Session, now: Date) throws -> String {
        try sign(claims(of: session, type: "access", now: now), now: now)
    }

    private func claims(of session: Session, type: String, now: Date) -> Claims {
        let seconds = Int64(now.timeIntervalSince1970)
        return Claims(
            sub: String(session.account),
            sid: session.id,
            app: session.app.rawValue,
            typ: type,
            gen: session.family.generation,
            iat: seconds,
            exp: seconds + Int64(lifetimes(session.app).access),
            jti: PublicID.random()
        )
    }

    private func sign(_ claims: Claims, now: Date) throws -> String {
        let key = try ring.signing(now: now)
        return try SignedToken.sign(claims, kid: key.id, key: key.key)
    }

    /// What a refresh token states.
    struct Presented {
        var session: String
        var generation: Int
        var expiresAt: Date
    }

    /// Reads a refresh token, which may be past its time.
    ///
    /// - Throws: `SessionError.refreshInvalid` for whatever is not a refresh token of this app.
    func read(refreshToken: String, app: App) throws(SessionError) -> Presented {
        guard let claims = try? SignedToken.claims(of: refreshToken, as: Claims.self, keys: ring.publicKeys),
            claims.typ == "refresh", claims.app == app.rawValue
        else { throw .refreshInvalid }
        return Presented(
            session: claims.sid,
            generation: claims.gen,
            expiresAt: Date(timeIntervalSince1970: Double(claims.exp))
        )
    }

    private struct Claims: Codable {
        var sub: String
        var sid: String
        var app: String
        var typ: String
        var gen: Int
        var iat: Int64
        var exp: Int64
        var jti: String
    }
}
