import AsyncHTTPClient
import Authentication
import FoundationEssentials
import JWTKit
import NIOCore
import NIOHTTP1

/// Sign in with Apple: identity tokens checked against Apple's published keys (SeatCatcher contract 7, Anlaka 6.4).
///
/// The keys are kept; they are fetched again when a token names one that is not among them, at most every ten seconds.
actor AppleClient {
    private let baseURL: String
    private let audiences: Set<String>
    private let http: HTTPClient
    private var keys: (collection: JWTKeyCollection, ids: Set<String>, fetchedAt: ContinuousClock.Instant)?

    /// - Parameter audiences: the client ids of our apps (`aud`).
    init(baseURL: String, audiences: Set<String>, http: HTTPClient) {
        self.baseURL = baseURL
        self.audiences = audiences
        self.http = http
    }

    /// Who an identity token belongs to. A token that arrives wrapped in base64 once more is unwrapped; anything that is
    /// not signed is refused.
    ///
    /// - Throws: `AccountError.socialTokenRefused`, `ProviderUnavailable`.
    func identity(identityToken: String) async throws -> SocialIdentity {
        let token = Self.unwrapped(identityToken)
        guard let kid = Self.keyID(of: token) else { throw AccountError.socialTokenRefused }
        let collection = try await collection(holding: kid)
        guard let claims = try? await collection.verify(token, as: Claims.self),
            claims.iss.value == "https://appleid.apple.com",
            !claims.sub.value.isEmpty,
            claims.aud.value.contains(where: audiences.contains)
        else { throw AccountError.socialTokenRefused }
        return SocialIdentity(provider: .apple, subject: claims.sub.value)
    }

    private func collection(holding kid: String) async throws -> JWTKeyCollection {
        if let keys, keys.ids.contains(kid) || ContinuousClock.now - keys.fetchedAt < .seconds(10) {
            return keys.collection
        }
        do {
            let response = try await http.execute(HTTPClientRequest(url: "\(baseURL)/auth/keys"), timeout: .seconds(5))
            let body = try await response.body.collect(upTo: 256 * 1024)
            guard response.status == .ok else { throw ProviderUnavailable(provider: "Apple") }
            let published = try JSONDecoder().decode(JWTKit.JWKS.self, from: Data(body.readableBytesView))
            let collection = JWTKeyCollection()
            try await collection.add(jwks: published)
            let ids = Set(published.keys.compactMap { $0.keyIdentifier?.string })
            keys = (collection, ids, .now)
            return collection
        } catch {
            guard let keys else { throw ProviderUnavailable(provider: "Apple") }
            return keys.collection
        }
    }

    /// One build of a client sends base64 of the whole token.
    private static func unwrapped(_ text: String) -> String {
        guard !text.contains("."), let data = Data(base64Encoded: text) else { return text }
        return String(decoding: data, as: UTF8.self)
    }

    private static func keyID(of token: String) -> String? {
        guard token.utf8.count <= 8192, let header = token.split(separator: ".").first else { return nil }
        guard let bytes = Base64URL.decode(header.utf8) else { return nil }
        return (try? JSONDecoder().decode(Header.self, from: Data(bytes)))?.kid
    }

    private struct Header: Decodable {
        var kid: String
    }

    private struct Claims: JWTPayload {
        var iss: IssuerClaim
        var aud: AudienceClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {
            try exp.verifyNotExpired()
        }
    }
}
