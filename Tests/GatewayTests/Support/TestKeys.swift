import Authentication
import Contracts
import Crypto
import Glibc
import Logging

/// A signing key and the tokens it signs.
struct TestKey: Sendable {
    let kid: String
    let key = P256.Signing.PrivateKey()

    init(_ kid: String = "k1") {
        self.kid = kid
    }

    var jwk: JWKS.Key { JWKS.Key(kid: kid, key: key.publicKey) }

    struct Claims: Encodable {
        var sub = "42"
        var sid = "s1"
        var app = "seatcatcher"
        var typ = "access"
        var iat = Int64(time(nil))
        var exp = Int64(time(nil)) + 600
        var jti = "j"
    }

    func token(_ app: App = .seatcatcher, change: (inout Claims) -> Void = { _ in }) throws -> String {
        var claims = Claims()
        claims.app = app.rawValue
        change(&claims)
        return try SignedToken.sign(claims, kid: kid, key: key)
    }
}
