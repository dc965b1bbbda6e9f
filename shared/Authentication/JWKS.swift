package import Crypto

/// A JSON Web Key Set (RFC 7517 §5) of P-256 signing keys, as published by the auth service.
package struct JWKS: Codable, Sendable, Equatable {
    package var keys: [Key]

    package init(keys: [Key]) {
        self.keys = keys
    }

    /// One public key (RFC 7518 §6.2.1): `x` and `y` are base64url of 32 bytes each.
    package struct Key: Codable, Sendable, Equatable {
        package var kty: String
        package var crv: String?
        package var use: String?
        package var alg: String?
        package var kid: String?
        package var x: String?
        package var y: String?

        package init(kid: String, key: P256.Signing.PublicKey) {
            let point = Array(key.rawRepresentation)
            self.kty = "EC"
            self.crv = "P-256"
            self.use = "sig"
            self.alg = "ES256"
            self.kid = kid
            self.x = Base64URL.encode(point.prefix(32))
            self.y = Base64URL.encode(point.suffix(32))
        }

        /// The key, or nil if it is of another kind or its coordinates are not a point of the curve.
        package var publicKey: P256.Signing.PublicKey? {
            guard kty == "EC", crv == "P-256", use ?? "sig" == "sig", alg ?? "ES256" == "ES256" else { return nil }
            guard
                let x = x.flatMap({ Base64URL.decode($0.utf8) }), x.count == 32,
                let y = y.flatMap({ Base64URL.decode($0.utf8) }), y.count == 32
            else { return nil }
            return try? P256.Signing.PublicKey(rawRepresentation: x + y)
        }
    }

    /// The usable keys by their `kid`; keys of other kinds are ignored.
    package var publicKeys: [String: P256.Signing.PublicKey] {
        var usable: [String: P256.Signing.PublicKey] = [:]
        for key in keys {
            if let kid = key.kid, let publicKey = key.publicKey { usable[kid] = publicKey }
        }
        return usable
    }
}
