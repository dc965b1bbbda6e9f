import FoundationEssentials
import Synchronization

/// Google accounts that have signed in, with their codes and tokens.
final class GoogleAccounts: Sendable {
    /// The consent of a user to an app.
    private struct Consent: Hashable {
        var sub: String
        var aud: String

        init(_ signIn: SignIn) {
            sub = signIn.sub
            aud = signIn.aud
        }
    }

    let key: RSASigningKey

    private struct State {
        var codes = AuthorizationCodes()
        /// Refresh and access tokens.
        var tokens: [String: SignIn] = [:]
        var consents: Set<Consent> = []
    }

    private let state = Mutex(State())

    private static let codeLifetime = 600.0
    static let tokenLifetime = 3599.0

    init(key: RSASigningKey) {
        self.key = key
    }

    /// Creates the authorization code of a sign-in in the app.
    func authorize(_ signIn: SignIn, expired: Bool) -> String {
        let code = RandomToken.make(prefix: "4/")
        let expiresAt = Date.now + (expired ? -1 : Self.codeLifetime)
        state.withLock { $0.codes.add(code, of: signIn, expiresAt: expiresAt) }
        return code
    }

    /// The result of a code exchange.
    struct Exchange: Sendable {
        var signIn: SignIn
        var accessToken: String
        /// Only in the first exchange after the user's consent.
        var refreshToken: String?
    }

    /// Exchanges a code for tokens. A code can be used once, other than that of a test user.
    ///
    /// - Throws: `GoogleError` for a code that is unknown, used, expired, or another client's.
    func exchange(code: String, client: String) throws(GoogleError) -> Exchange {
        let (access, refresh) = (RandomToken.make(prefix: "ya29."), RandomToken.make(prefix: "1//"))
        let exchange = state.withLock { state -> Exchange? in
            let user = TestUserToken.user(code).map { SignIn(sub: $0, aud: client) }
            guard let signIn = user ?? state.codes.take(code, client: client) else { return nil }
            let isFirst = state.consents.insert(Consent(signIn)).inserted
            state.tokens[access] = signIn
            if isFirst { state.tokens[refresh] = signIn }
            return Exchange(signIn: signIn, accessToken: access, refreshToken: isFirst ? refresh : nil)
        }
        guard let exchange else { throw .invalidGrant }
        return exchange
    }

    /// Revokes the user's consent to the app, by any of its tokens, with all tokens.
    ///
    /// - Throws: `GoogleError` for a token that is unknown or already revoked.
    func revoke(token: String) throws(GoogleError) {
        let wasKnown = state.withLock { state in
            guard let consent = state.tokens[token].map(Consent.init) else { return false }
            state.tokens = state.tokens.filter { Consent($0.value) != consent }
            state.consents.remove(consent)
            return true
        }
        guard wasKnown else { throw .invalidToken }
    }

    /// The id token of a sign-in.
    func idToken(_ signIn: SignIn) throws -> String {
        let now = Int(Date.now.timeIntervalSince1970)
        return try key.sign(
            IDClaims(
                iss: "https://accounts.google.com",
                azp: signIn.aud,
                aud: signIn.aud,
                sub: signIn.sub,
                email: signIn.email,
                emailVerified: signIn.email == nil ? nil : true,
                name: signIn.name,
                iat: now,
                exp: now + Int(Self.tokenLifetime)
            )
        )
    }

    private struct IDClaims: Encodable {
        var iss: String
        var azp: String
        var aud: String
        var sub: String
        var email: String?
        var emailVerified: Bool?
        var name: String?
        var iat: Int
        var exp: Int
    }
}
