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
    /// The time before which the token is not valid (RFC 7519 §4.1.5); the issuer sets none.
    var nbf: Double?
    var aud: Audience?

    /// The last second of the year 9999; a later expiry is invalid.
    private static let latestExpiry = 253_402_300_799.0

    /// The audience (RFC 7519 §4.1.3), which the issuer leaves out: one string or a list.
    struct Audience: Decodable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            names = try (try? [value.decode(String.self)]) ?? value.decode([String].self)
        }
    }

    /// The session's id becomes a field of a header, between dots.
    private var isSessionPlain: Bool {
        (1...64).contains(sid.utf8.count)
            && sid.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
            }
    }

    /// The claims, if they are those of a token of this type (RFC 8725 §3.11).
    ///
    /// - Parameter time: The time in seconds since 1970 from which a token must be valid, leeway included.
    func checked(
        _ type: String,
        validAt time: Int64 = .max
    ) throws(TokenProblem) -> (account: AccountID, session: String, app: App, generation: Int, expiresAt: Int64) {
        guard typ == type, let account = AccountID(sub), account.rawValue > 0, isSessionPlain,
            let app = App(rawValue: app),
            gen ?? 0 >= 0,
            aud?.names.contains(app.rawValue) ?? true
        else { throw .wrongType }
        guard nbf ?? 0 <= Double(time) else { throw .notYetValid }
        guard exp > 0, exp <= Self.latestExpiry, let expiresAt = Int64(exactly: exp) else { throw .malformed }
        return (account, sid, app, gen ?? 0, expiresAt)
    }
}
