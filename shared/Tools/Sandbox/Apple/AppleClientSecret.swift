import FoundationEssentials

/// Validates the JWT that authenticates an app's server to Apple: ES256, `kid` in the header, `iss` the team, `sub` the
/// client id, `aud` Apple, valid for six months at most.
///
/// Apple also verifies the signature with the team's public key. The sandbox does not have the key, so it checks
/// everything but the signature.
enum AppleClientSecret {
    private static let longestLifetime = 15_777_000.0

    /// Whether Apple would accept the secret for this client.
    static func isAcceptable(_ secret: String, client: String) -> Bool {
        guard
            let token = CompactJWT(secret), token.signature.count == 64,
            let header = token.header(Header.self), header.alg == "ES256", !header.kid.isEmpty,
            let claims = token.claims(Claims.self)
        else { return false }
        let now = Date.now.timeIntervalSince1970
        return !claims.iss.isEmpty && claims.sub == client && claims.aud == "https://appleid.apple.com"
            && claims.exp > now && claims.exp - now <= longestLifetime
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private struct Claims: Decodable {
        var iss: String
        var sub: String
        var aud: String
        var exp: Double
    }
}
