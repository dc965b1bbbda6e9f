package import Crypto
import FoundationEssentials

/// A JWT in compact serialisation (RFC 7515 §7.1) signed with ES256; no other format is accepted.
///
/// The rules are those of RFC 8725: the algorithm is fixed before any key is chosen (§3.1), the key is found by `kid`
/// among known keys only, never taken from the token, and an unknown header parameter is refused (§3.10).
package enum SignedToken {
    /// The maximum size of a token, in bytes.
    package static let sizeLimit = 4096

    /// The claims of a token with a valid signature.
    ///
    /// - Throws: `TokenProblem`; `wrongType` if the claims cannot be decoded as the requested type.
    package static func claims<Claims: Decodable>(
        of token: some StringProtocol,
        as type: Claims.Type = Claims.self,
        keys: [String: P256.Signing.PublicKey]
    ) throws(TokenProblem) -> Claims {
        let bytes = Array(token.utf8)
        guard bytes.count <= sizeLimit else { throw .malformed }
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
        guard StrictJSON.isStrict(payload) else { throw .malformed }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)) else { throw .wrongType }
        return claims
    }

    /// Signs a token with the claims.
    package static func sign(
        _ claims: some Encodable,
        kid: String,
        key: P256.Signing.PrivateKey
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(["alg": "ES256", "kid": kid, "typ": "JWT"])
        let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(try encoder.encode(claims)))"
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return "\(signed).\(Base64URL.encode(signature))"
    }

    private static func keyID(ofHeader bytes: [UInt8]) throws(TokenProblem) -> String {
        guard StrictJSON.isStrict(bytes),
            let header = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
        else { throw .malformed }
        guard header["alg"] == "ES256", header["typ"] ?? "JWT" == "JWT",
            header.keys.allSatisfy({ ["alg", "typ", "kid"].contains($0) })
        else { throw .unsupported }
        guard let kid = header["kid"], (1...64).contains(kid.utf8.count) else { throw .malformed }
        return kid
    }
}
