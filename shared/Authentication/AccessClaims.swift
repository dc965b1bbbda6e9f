package import Contracts

/// The claims of a verified access token.
///
/// The token is a JWT (RFC 7519) signed with ES256. Its claims: `sub` the account's id in decimal, `sid` the session's
/// id, `app` the app's name, `typ` = `access`, `gen` the generation of its session's tokens, `iat` and `exp` in whole
/// seconds since 1970, `jti` unique per token.
package struct AccessClaims: Sendable, Equatable {
    /// The account id, unique over all apps.
    package var account: AccountID
    package var session: String
    package var app: App
    /// The number of refreshes of the session before the token was issued.
    package var generation: Int
    /// Seconds since 1970 (`exp`), without leeway.
    package var expiresAt: Int64

    package init(account: AccountID, session: String, app: App, generation: Int = 0, expiresAt: Int64) {
        self.account = account
        self.session = session
        self.app = app
        self.generation = generation
        self.expiresAt = expiresAt
    }
}

/// Why a token is refused. Only `expired` means that the token was once valid.
package enum TokenProblem: Error, Sendable, Equatable {
    /// Not three base64url parts of JSON, JSON and 64 signature bytes, or larger than the limit.
    case malformed
    /// An algorithm other than ES256, or an unknown header parameter (RFC 8725 §3.1, §3.10).
    case unsupported
    /// No published key has this `kid`.
    case unknownKey(String)
    case badSignature
    /// The signature is valid, but it is not an access token of a known app (RFC 8725 §3.11).
    case wrongType
    case expired
    /// The time of `nbf` has not come.
    case notYetValid
}
