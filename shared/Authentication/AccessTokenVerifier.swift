import Contracts
package import Crypto
import FoundationEssentials

/// Verifies access tokens, and nothing else: one algorithm, one type, no header parameter that it does not know.
///
/// The rules are those of RFC 8725: the algorithm is fixed to ES256 before any key is chosen (§3.1), the key is found
/// by `kid` among published keys only, never taken from the token (§3.10), and a refresh token is not an access token
/// (§3.11). Pure and synchronous: a caller with a cache of verified tokens pays for the signature once.
package struct AccessTokenVerifier: Sendable {
    /// Longest token that is looked at, in bytes.
    package static let sizeLimit = 4096

    /// Seconds after `exp` during which a token still counts, since clients refresh by clocks of their own.
    package var leeway: Int64

    package init(leeway: Int64 = 30) {
        self.leeway = leeway
    }

    /// The claims of a token.
    ///
    /// - Parameters:
    ///   - token: the compact serialisation (RFC 7515 §7.1), without `Bearer`.
    ///   - keys: the published keys by `kid`.
    ///   - now: seconds since 1970.
    /// - Throws: `TokenProblem`.
    package func verify(
        _ token: some StringProtocol,
        keys: [String: P256.Signing.PublicKey],
        now: Int64
    ) throws(TokenProblem) -> AccessClaims {
        let claims = try signedClaims(token, keys: keys)
        guard claims.typ == "access", let account = Int64(claims.sub), account > 0, !claims.sid.isEmpty,
            let app = App(rawValue: claims.app)
        else { throw .wrongType }
        guard let expiresAt = Int64(exactly: claims.exp), expiresAt > 0 else { throw .malformed }
        guard now - leeway < expiresAt else { throw .expired }
        return AccessClaims(account: account, session: claims.sid, app: app, expiresAt: expiresAt)
    }

    private func signedClaims(
        _ token: some StringProtocol,
        keys: [String: P256.Signing.PublicKey]
    ) throws(TokenProblem) -> Claims {
        let bytes = Array(token.utf8)
        guard bytes.count <= Self.sizeLimit else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }

        let kid = try keyID(ofHeader: header)
        guard let key = keys[kid] else { throw .unknownKey(kid) }
        guard signature.count == 64, let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
            throw .malformed
        }
        let signed = bytes[..<(bytes.count - parts[2].count - 1)]
        guard key.isValidSignature(ecdsa, for: signed) else { throw .badSignature }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)) else { throw .wrongType }
        return claims
    }

    private func keyID(ofHeader bytes: [UInt8]) throws(TokenProblem) -> String {
        guard let header = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
            throw .malformed
        }
        guard header["alg"] == "ES256", header["typ"] ?? "JWT" == "JWT",
            header.keys.allSatisfy({ ["alg", "typ", "kid"].contains($0) })
        else { throw .unsupported }
        guard let kid = header["kid"], (1...64).contains(kid.utf8.count) else { throw .malformed }
        return kid
    }

    private struct Claims: Decodable {
        var sub: String
        var sid: String
        var app: String
        var typ: String
        var exp: Double
    }
}
