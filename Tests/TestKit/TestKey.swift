package import Authentication
package import Contracts
package import Crypto
import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdTesting

/// A signing key of the auth service, and the access tokens it signs.
package struct TestKey: Sendable {
    package let kid: String
    package let key = P256.Signing.PrivateKey()

    package init(_ kid: String = "k1") { self.kid = kid }

    package var jwk: JWKS.Key { JWKS.Key(kid: kid, key: key.publicKey) }

    package struct Claims: Encodable {
        package var sub = "42"
        package var sid = "s1"
        package var app = "seatcatcher"
        package var typ = "access"
        package var gen = 0
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

    /// Answers `/internal/keys` as the auth service does, with no ended sessions, while `body` runs with its address.
    package func published(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let keys = String(decoding: try JSONEncoder().encode(JWKS(keys: [jwk])), as: UTF8.self)
        let router = Router()
        router.get("/internal/keys") { _, _ in keys }
        router.get("/internal/revocations") { _, _ in #"{"revocations":[],"last":0}"# }
        try await Application(router: router, logger: .quiet).test(.live) { client in
            try await body("http://127.0.0.1:\(client.port ?? 0)")
        }
    }
}
