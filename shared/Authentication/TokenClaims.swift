import Contracts
import FoundationEssentials

/// The claims common to access and refresh tokens, in the form of the token.
struct TokenClaims: Decodable {
    var sub: String
    var sid: String
    var app: String
    var typ: String
    var gen: Int?
    var exp: Double

    /// The last second of the year 9999; a later expiry is invalid.
    private static let latestExpiry = 253_402_300_799.0

    /// The claims, if they are those of a token of this type (RFC 8725 §3.11).
    func checked(
        _ type: String
    ) throws(TokenProblem) -> (account: AccountID, session: String, app: App, generation: Int, expiresAt: Int64) {
        guard typ == type, let account = AccountID(sub), account.rawValue > 0, !sid.isEmpty,
            let app = App(rawValue: app),
            gen ?? 0 >= 0
        else { throw .wrongType }
        guard exp > 0, exp <= Self.latestExpiry, let expiresAt = Int64(exactly: exp) else { throw .malformed }
        return (account, sid, app, gen ?? 0, expiresAt)
    }
}
