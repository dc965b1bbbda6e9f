package import Authentication
package import Contracts
package import Crypto
import Glibc

/// A signing key of the auth service, and the access tokens it signs.
package struct TestKey: Sendable {
    package let kid: String
    package let key = P256.Signing.PrivateKey()

    package init(_ kid: String = "k1") {
        self.kid = kid
    }

    package var jwk: JWKS.Key { JWKS.Key(kid: kid, key: key.publicKey) }

    package struct Claims: Encodable {
        package var sub = "42"
        package var sid = "s1"
        package var app = "seatcatcher"
        package var typ = "access"
        package var iat = Int64(time(nil))
        package var exp = Int64(time(nil)) + 600
        package var jti = "j"
    }

    package func token(_ app: App = .seatcatcher, change: (inout Claims) -> Void = { _ in }) throws -> String {
        var claims = Claims()
        claims.app = app.rawValue
        change(&claims)
        return try SignedToken.sign(claims, kid: kid, key: key)
    }
}
