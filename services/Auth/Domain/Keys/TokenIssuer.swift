import Authentication
import Contracts
import FoundationEssentials

/// Issues and reads access and refresh tokens: JWTs signed with ES256.
///
/// Both kinds contain `sub` (the account), `sid` (the session), `app`, `typ`, `gen` (the generation), `iat`, `exp` and
/// a unique `jti`. Invalid tokens are rejected by the signature, without a database query.
struct TokenIssuer: Sendable {
    let ring: KeyRing
    let lifetimes: @Sendable (App) -> TokenLifetimes

    /// The tokens of the session's current generation. The refresh token expires with the session.
    func pair(for session: Session, now: Date) throws -> TokenPair {
        var claims = claims(of: session, type: "refresh", now: now)
        claims.exp = Int64(session.family.expiresAt.timeIntervalSince1970)
        let refresh = try sign(claims, now: now)
        return TokenPair(accessToken: try accessToken(for: session, now: now), refreshToken: refresh)
    }

    /// Another access token of the current generation.
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
            jti: PublicID.random().rawValue
        )
    }

    private func sign(_ claims: Claims, now: Date) throws -> String {
        let key = try ring.signing(now: now)
        return try SignedToken.sign(claims, kid: key.id, key: key.key)
    }

    /// The claims of a refresh token.
    struct Presented {
        var session: String
        var generation: Int
        var expiresAt: Date
    }

    /// Reads a refresh token, which may have expired.
    ///
    /// - Throws: `SessionError.refreshInvalid` for anything other than a refresh token of this app.
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
