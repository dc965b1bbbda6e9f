import Authentication
import Contracts
import FoundationEssentials

/// Makes and reads the tokens that phones carry: JWTs signed with ES256.
///
/// Both kinds state `sub` (the account), `sid` (the session), `app`, `typ`, `iat`, `exp` and a unique `jti`; a refresh
/// token also its generation `gen`, so that junk is refused by its signature alone, before any database is asked.
struct TokenMint: Sendable {
    let ring: KeyRing
    let lifetimes: @Sendable (App) -> TokenLifetimes

    /// The pair of one generation of a session. The refresh token ends with the session.
    func pair(for session: Session, now: Date) throws -> TokenPair {
        let key = try ring.signing(now: now)
        let seconds = Int64(now.timeIntervalSince1970)
        var claims = Claims(
            sub: String(session.account),
            sid: session.id,
            app: session.app.rawValue,
            typ: "access",
            iat: seconds,
            exp: seconds + Int64(lifetimes(session.app).access),
            jti: PublicID.random()
        )
        let access = try SignedToken.sign(claims, kid: key.id, key: key.key)
        claims.typ = "refresh"
        claims.gen = session.family.generation
        claims.exp = Int64(session.family.expiresAt.timeIntervalSince1970)
        claims.jti = PublicID.random()
        return TokenPair(accessToken: access, refreshToken: try SignedToken.sign(claims, kid: key.id, key: key.key))
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
            claims.typ == "refresh", claims.app == app.rawValue, let generation = claims.gen
        else { throw .refreshInvalid }
        return Presented(
            session: claims.sid,
            generation: generation,
            expiresAt: Date(timeIntervalSince1970: Double(claims.exp))
        )
    }

    private struct Claims: Codable {
        var sub: String
        var sid: String
        var app: String
        var typ: String
        var iat: Int64
        var exp: Int64
        var jti: String
        var gen: Int?
    }
}
