import Authentication
import Crypto
import FoundationEssentials
import JWTKit
import Providers

/// Identity tokens (OpenID Connect Core §3.1.3.7) of one provider, checked against the keys that it publishes.
///
/// The keys are kept; they are fetched again when a token names one that is not among them, at most every ten seconds.
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

    /// What a token states, which is for one of the audiences, in its time, and signed by the provider.
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

    /// What any token of the provider states; only its signature is looked at, and what the claims look at themselves.
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

    /// The signed part alone: a signature can be spelled in more than one way.
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
        /// Apple has sent it as a text, too.
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

/// What an identity token states.
struct IdentityClaims: Sendable {
    var subject: String
    /// The client id that it was made for, which is one of ours.
    var audience: String
    /// Only an address that the provider has verified.
    var email: EmailAddress?
    var name: String?
    var nonce: String?
    /// The token itself, for places where it is good once.
    var proof: SpentToken
}
