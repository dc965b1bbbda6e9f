import FoundationEssentials
import Synchronization

/// Kakao accounts linked to the app, and their access tokens.
final class KakaoUsers: Sendable {
    /// A Kakao account. Name and address are present only with the user's consent.
    struct User: Sendable {
        var id: Int64
        var nickname: String?
        var email: String?
        var connectedAt: Date
    }

    /// The data of an access token.
    struct Token: Sendable {
        var user: User
        var appID: Int64
        var expiresAt: Date
    }

    private struct State {
        var linked: Set<Int64> = []
        var tokens: [String: Token] = [:]
    }

    private let state = Mutex(State())

    /// Creates the access token of a sign-in.
    func signIn(_ token: Token) -> String {
        let text = RandomToken.make()
        state.withLock { state in
            state.linked.insert(token.user.id)
            state.tokens[text] = token
        }
        return text
    }

    /// The data of a token. That of a test user links the user.
    ///
    /// - Throws: `KakaoError` for a token that is unknown or expired.
    func token(_ text: String?) throws(KakaoError) -> Token {
        if let id = text.flatMap(TestUserToken.user).flatMap({ Int64($0) }) {
            state.withLock { _ = $0.linked.insert(id) }
            return Token(user: User(id: id, connectedAt: .now), appID: 1, expiresAt: .now + 21_599)
        }
        guard let text, let token = state.withLock({ $0.tokens[text] }) else { throw .unknownToken }
        guard token.expiresAt > .now else { throw .expiredToken }
        return token
    }

    /// Unlinks a user from the app and revokes all of the user's tokens.
    ///
    /// - Throws: `KakaoError` for a user who is not linked.
    func unlink(_ id: Int64) throws(KakaoError) {
        let wasLinked = state.withLock { state in
            state.tokens = state.tokens.filter { $0.value.user.id != id }
            return state.linked.remove(id) != nil
        }
        guard wasLinked else { throw .notLinked }
    }
}
