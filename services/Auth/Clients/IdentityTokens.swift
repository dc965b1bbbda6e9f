import Authentication
import Crypto
import FoundationEssentials
import JWTKit
import ServiceKit

/// Verifies identity tokens (OpenID Connect Core §3.1.3.7) of one provider with the keys that it publishes.
///
/// The keys are cached; a token with an unknown key id triggers a new fetch, at most every ten seconds.
actor IdentityTokens {
    private let connection: ProviderConnection
    private let keysPath: String
    private let issuers: Set<String>
    private var keys: (collection: JWTKeyCollection, ids: Set<String>, fetchedAt: ContinuousClock.Instant)?

    init(connection: ProviderConnection, keysPath: String, issuers: Set<String>) {
        self.connection = connection
        self.keysPath = keysPath
        self.issuers = issuers
    }

    /// Verifies signature, issuer, audience and expiry of a token.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func read(_ token: String, audiences: [String]) async throws -> IdentityClaims {
        let claims = try await claims(of: token, as: Claims.self)
        guard issuers.contains(claims.iss.value), !claims.sub.value.isEmpty,
            let audience = audiences.first(where: claims.aud.value.contains)
        else { throw AccountError.socialTokenRefused }
        return IdentityClaims(
            subject: claims.sub.value,
            audience: audience,
            email: claims.emailVerified?.value == true ? claims.email.flatMap { try? EmailAddress(parsing: $0) } : nil,
            name: claims.name,
            nonce: claims.nonce,
            proof: SpentToken(digest: Self.digest(of: token), expiresAt: claims.exp.value)
        )
    }

    /// The claims of any token of the provider; verifies the signature, and whatever `Payload` verifies itself.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func claims<Payload: JWTPayload>(of token: String, as type: Payload.Type) async throws -> Payload {
        guard let kid = Self.keyID(of: token) else { throw AccountError.socialTokenRefused }
        let collection = try await collection(holding: kid)
        guard let claims = try? await collection.verify(token, as: type) else {
            throw AccountError.socialTokenRefused
        }
        return claims
    }

    private func collection(holding kid: String) async throws -> JWTKeyCollection {
        if let keys, keys.ids.contains(kid) || ContinuousClock.now - keys.fetchedAt < .seconds(10) {
            return keys.collection
        }
        let answer = try await connection.get(keysPath)
        guard answer.status == 200, let published = answer.value(JWTKit.JWKS.self) else {
            throw connection.unavailable
        }
        let collection = JWTKeyCollection()
        do {
            try await collection.add(jwks: published)
        } catch {
            throw connection.unavailable
        }
        keys = (collection, Set(published.keys.compactMap { $0.keyIdentifier?.string }), .now)
        return collection
    }

    private static func keyID(of token: String) -> String? {
        guard token.utf8.count <= 8192, let header = token.split(separator: ".").first else { return nil }
        guard let bytes = Base64URL.decode(header.utf8) else { return nil }
        return (try? JSONDecoder().decode(Header.self, from: Data(bytes)))?.kid
    }

    /// Excludes the signature, since one signature has several encodings.
    private static func digest(of token: String) -> [UInt8] {
        let signed = token.lastIndex(of: ".").map { token[..<$0] } ?? token[...]
        return Array(SHA256.hash(data: Array(signed.utf8)))
    }

    private struct Header: Decodable {
        var kid: String
    }

    private struct Claims: JWTPayload {
        var iss: IssuerClaim
        var aud: AudienceClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim
        var email: String?
        /// Apple has also sent this as a string.
        var emailVerified: BoolClaim?
        var name: String?
        var nonce: String?

        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, exp, email, name, nonce
            case emailVerified = "email_verified"
        }

        func verify(using algorithm: some JWTAlgorithm) throws {
            try exp.verifyNotExpired()
        }
    }
}

/// The verified claims of an identity token.
struct IdentityClaims: Sendable {
    var subject: String
    /// The client id in `aud`, which is one of ours.
    var audience: String
    /// nil unless the provider has verified the address.
    var email: EmailAddress?
    var name: String?
    var nonce: String?
    /// The token itself, to enforce single use.
    var proof: SpentToken
}
