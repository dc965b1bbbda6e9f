import Authentication
import CryptoExtras
import FoundationEssentials

/// A Google service account, as downloaded from Google's console: its identity and private key.
struct ServiceAccount: Decodable, Sendable {
    var projectID: String
    var clientEmail: String
    var privateKeyID: String?
    /// PKCS#8, PEM.
    var privateKey: String
    var tokenURI: String

    enum CodingKeys: String, CodingKey {
        case projectID = "project_id"
        case clientEmail = "client_email"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case tokenURI = "token_uri"
    }

    /// The OAuth scope for sending.
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// Google's maximum lifetime of an assertion, in seconds.
    private static let lifetime: Int64 = 3600

    private struct Header: Encodable {
        var alg = "RS256"
        var typ = "JWT"
        var kid: String?
    }

    private struct Claims: Encodable {
        var iss: String
        var scope: String
        var aud: String
        var iat: Int64
        var exp: Int64
    }

    /// The JWT that is exchanged for an access token (RFC 7523 §2.1), signed with RS256 (RFC 7518 §3.3).
    ///
    /// - Throws: `FCMAccessRefused` when the key cannot be read.
    func assertion(at now: Date) throws -> String {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: privateKey) else {
            throw FCMAccessRefused(reason: "the private key of \(clientEmail) cannot be read")
        }
        let instant = Int64(now.timeIntervalSince1970)
        let claims = Claims(
            iss: clientEmail,
            scope: Self.scope,
            aud: tokenURI,
            iat: instant,
            exp: instant + Self.lifetime
        )
        let header = Base64URL.encode(try JSONEncoder().encode(Header(kid: privateKeyID)))
        let signed = "\(header).\(Base64URL.encode(try JSONEncoder().encode(claims)))"
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Base64URL.encode(signature.rawRepresentation))"
    }
}
