import Authentication
import Crypto
import CryptoExtras
import FoundationEssentials
import Synchronization

/// The RSA key that signs tokens (RS256, RFC 7518 §3.3), and its public half as a JWK.
struct RSASigningKey: Sendable {
    let keyID = RandomToken.make().prefix(10).description
    let published: Published
    private let key: _RSA.Signing.PrivateKey

    /// A public key as in RFC 7517 and RFC 7518 §6.3.
    struct Published: Codable, Sendable {
        var kty: String
        var kid: String
        var use: String
        var alg: String
        var n: String
        var e: String
    }

    private static let made = Mutex<[String: RSASigningKey]>([:])

    /// The key of a provider: generated once per process, because that takes a tenth of a second.
    static func key(of provider: String) throws -> RSASigningKey {
        try made.withLock { made in
            if let key = made[provider] { return key }
            let key = try RSASigningKey()
            made[provider] = key
            return key
        }
    }

    init() throws {
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        published = Published(
            kty: "RSA",
            kid: keyID,
            use: "sig",
            alg: "RS256",
            n: Base64URL.encode(numbers.modulus),
            e: Base64URL.encode(numbers.publicExponent)
        )
    }

    /// The private key in the download format of consoles: PKCS#8 in PEM (RFC 5958, RFC 7468 §10).
    var privatePEM: String { key.pkcs8PEMRepresentation }

    /// Whether the token's header names this key and its signature (RS256) is valid.
    func hasSigned(_ token: CompactJWT) -> Bool {
        guard let header = token.header(Header.self), header.alg == "RS256", header.kid == keyID else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
        return key.publicKey.isValidSignature(signature, for: token.signed, padding: .insecurePKCS1v1_5)
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    /// Signs a token with the claims.
    func sign(_ claims: some Encodable) throws -> String {
        let encoder = JSONEncoder.snakeCase
        let header = try encoder.encode(["alg": "RS256", "kid": keyID])
        let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(try encoder.encode(claims)))"
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Base64URL.encode(signature.rawRepresentation))"
    }
}
