import FoundationEssentials
import Synchronization

/// People with Kakao accounts who have allowed our app, and their access tokens.
final class KakaoUsers: Sendable {
    /// Who a person is at Kakao. Name and address are there only if the person has agreed to share them.
    struct User: Sendable {
        var id: Int64
        var nickname: String?
        var email: String?
        var connectedAt: Date
    }

    /// What an access token stands for.
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

    /// The person signs in at Kakao and allows the app.
    func signIn(_ token: Token) -> String {
        let text = RandomToken.make()
        state.withLock { state in
            state.linked.insert(token.user.id)
            state.tokens[text] = token
        }
        return text
    }

    /// What a token stands for.
    ///
    /// - Throws: `KakaoError` for a token that is unknown or past its time.
    func token(_ text: String?) throws(KakaoError) -> Token {
        guard let text, let token = state.withLock({ $0.tokens[text] }) else { throw .unknownToken }
        guard token.expiresAt > .now else { throw .expiredToken }
        return token
    }

    /// Ends the link between a person and the app: all of the person's tokens die.
    ///
    /// - Throws: `KakaoError` for a person who is not linked.
    func unlink(_ id: Int64) throws(KakaoError) {
        let wasLinked = state.withLock { state in
            state.tokens = state.tokens.filter { $0.value.user.id != id }
            return state.linked.remove(id) != nil
        }
        guard wasLinked else { throw .notLinked }
    }
}
