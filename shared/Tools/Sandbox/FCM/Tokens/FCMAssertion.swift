import FoundationEssentials
import HTTPTypes

/// The assertion with which a service account requests an access token (RFC 7523 §3; Google, "Using OAuth 2.0 for
/// Server to Server Applications").
enum FCMAssertion {
    /// The scope required for sending.
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    /// The maximum lifetime of an assertion, and the tolerated clock skew, in seconds.
    private static let longestLifetime = 3600.0
    private static let skew = 300.0

    private struct Claims: Decodable {
        var iss: String
        var aud: String
        var scope: String?
        var iat: Double
        var exp: Double
    }

    /// The project whose service account has signed an assertion.
    ///
    /// - Parameters:
    ///   - audience: The URL of the token endpoint.
    ///   - now: Unix seconds.
    /// - Throws: `GoogleError`: `invalid_grant`, or `invalid_scope` for an assertion without the scope for sending.
    static func project(
        of text: String,
        audience: String,
        key: RSASigningKey,
        now: Double
    ) throws(GoogleError) -> String {
        guard let token = CompactJWT(text), let claims = token.claims(Claims.self) else {
            throw refusal("The assertion is no JWT with iss, aud, iat and exp.")
        }
        guard key.hasSigned(token) else { throw refusal("Invalid JWT Signature.") }
        guard let project = FCMServiceAccount.project(ofEmail: claims.iss) else {
            throw refusal("Invalid grant: account not found")
        }
        guard claims.aud == audience else { throw refusal("Invalid JWT: aud must be \(audience).") }
        guard claims.exp > now, claims.iat <= now + skew, claims.exp <= claims.iat + longestLifetime else {
            throw refusal("Invalid JWT: it must be good for 60 minutes at most, and now. Check iat and exp.")
        }
        guard claims.scope?.split(separator: " ").contains(Substring(scope)) == true else {
            throw GoogleError(.badRequest, "invalid_scope", "The scope must contain \(scope).")
        }
        return project
    }

    private static func refusal(_ description: String) -> GoogleError {
        GoogleError(.badRequest, "invalid_grant", description)
    }
}
