import Authentication
import Crypto
import FoundationEssentials
import Synchronization

/// Apple accounts that have signed in, with their codes and refresh tokens.
final class AppleAccounts: Sendable {
    let key: RSASigningKey

    private struct State {
        var codes = AuthorizationCodes()
        var refreshTokens: [String: SignIn] = [:]
    }

    private let state = Mutex(State())

    /// The lifetime of Apple's codes: five minutes.
    private static let codeLifetime = 300.0
    /// The lifetime of identity tokens: a day.
    static let tokenLifetime = 86_400.0

    init(key: RSASigningKey) {
        self.key = key
    }

    /// Creates the authorization code of a sign-in in the app.
    func authorize(_ signIn: SignIn, expired: Bool) -> String {
        let code = RandomToken.make(prefix: "c")
        let expiresAt = Date.now + (expired ? -1 : Self.codeLifetime)
        state.withLock { $0.codes.add(code, of: signIn, expiresAt: expiresAt) }
        return code
    }

    /// Exchanges a code for a refresh token. A code can be used once.
    ///
    /// - Throws: `AppleError` for a code that is unknown, used, expired, or another client's.
    func exchange(code: String, client: String) throws(AppleError) -> (SignIn, refreshToken: String) {
        let token = RandomToken.make(prefix: "r")
        let signIn = state.withLock { state -> SignIn? in
            guard let signIn = state.codes.take(code, client: client) else { return nil }
            state.refreshTokens[token] = signIn
            return signIn
        }
        guard let signIn else { throw .invalidGrant }
        return (signIn, token)
    }

    /// The sign-in of a refresh token.
    ///
    /// - Throws: `AppleError` for a token that is unknown, revoked, or another client's.
    func signIn(refreshToken: String, client: String) throws(AppleError) -> SignIn {
        let found = state.withLock { $0.refreshTokens[refreshToken] }
        guard let found, found.aud == client else { throw .invalidGrant }
        return found
    }

    /// Revokes all refresh tokens of the user for the app. An unknown token has no effect and is not an error (RFC 7009
    /// §2.2).
    func revoke(token: String, client: String) {
        state.withLock { state in
            guard let found = state.refreshTokens[token], found.aud == client else { return }
            state.refreshTokens = state.refreshTokens.filter { $0.value.sub != found.sub || $0.value.aud != client }
        }
    }

    /// The identity token of a sign-in.
    ///
    /// - Parameter code: The authorization code issued with it; the token contains its hash (OpenID Connect Core
    ///   §3.3.2.11).
    func identityToken(_ signIn: SignIn, code: String? = nil, expired: Bool = false) throws -> String {
        let now = Date.now.timeIntervalSince1970
        let issued = expired ? now - Self.tokenLifetime - 60 : now
        return try key.sign(
            IdentityClaims(
                iss: "https://appleid.apple.com",
                aud: signIn.aud,
                sub: signIn.sub,
                iat: Int(issued),
                exp: Int(issued + Self.tokenLifetime),
                authTime: Int(issued),
                email: signIn.email,
                emailVerified: signIn.email == nil ? nil : true,
                isPrivateEmail: signIn.email?.hasSuffix("@privaterelay.appleid.com") == true ? true : nil,
                nonce: signIn.nonce,
                cHash: code.map { Base64URL.encode(SHA256.hash(data: Array($0.utf8)).prefix(16)) },
                nonceSupported: true
            )
        )
    }

    /// The payload of Apple's webhook to an app's server (`events` is JSON text, as at Apple).
    func notice(of type: String, sub: String, aud: String) throws -> String {
        let now = Date.now.timeIntervalSince1970
        let event = NoticeEvent(type: type, sub: sub, eventTime: Int(now * 1000))
        return try key.sign(
            NoticeClaims(
                iss: "https://appleid.apple.com",
                aud: aud,
                iat: Int(now),
                jti: RandomToken.make(),
                events: String(decoding: try JSONEncoder.snakeCase.encode(event), as: UTF8.self)
            )
        )
    }

    private struct NoticeClaims: Encodable {
        var iss: String
        var aud: String
        var iat: Int
        var jti: String
        var events: String
    }

    private struct NoticeEvent: Encodable {
        var type: String
        var sub: String
        var eventTime: Int
    }

    private struct IdentityClaims: Encodable {
        var iss: String
        var aud: String
        var sub: String
        var iat: Int
        var exp: Int
        var authTime: Int
        var email: String?
        var emailVerified: Bool?
        var isPrivateEmail: Bool?
        var nonce: String?
        var cHash: String?
        var nonceSupported: Bool
    }
}
