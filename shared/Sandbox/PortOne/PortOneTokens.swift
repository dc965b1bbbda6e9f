import Hummingbird
import Synchronization

/// The access token, of which there is one at a time: whoever asks again gets the same until its time is nearly over.
///
/// Source: Anlaka contract 6.1, `POST /users/getToken`.
final class PortOneTokens: Sendable {
    /// What is given out; instants in Unix seconds.
    struct Token: Sendable, Encodable {
        var accessToken: String
        var now: Int
        var expiredAt: Int
    }

    private let key: String
    private let secret: String
    private let now: @Sendable () -> Int
    private let current = Mutex<Token?>(nil)

    /// Seconds for which a token is good, seconds before its end at which asking again gives it more time, and how many more.
    private static let lifetime = 1800
    private static let brink = 60
    private static let extra = 300

    /// - Parameter now: Unix seconds.
    init(key: String, secret: String, now: @escaping @Sendable () -> Int = { PortOneTime.now }) {
        self.key = key
        self.secret = secret
        self.now = now
    }

    /// - Throws: `PortOneError` for a key or secret that is not the shop's.
    func token(key: String, secret: String) throws(PortOneError) -> Token {
        guard key == self.key, secret == self.secret else {
            throw PortOneError(.unauthorized, "인증에 실패하였습니다. API키와 secret을 확인하세요.")
        }
        let now = now()
        return current.withLock { current in
            var token = Token(accessToken: RandomToken.make(), now: now, expiredAt: now + Self.lifetime)
            if let known = current, known.expiredAt > now {
                token.accessToken = known.accessToken
                token.expiredAt = known.expiredAt - now < Self.brink ? known.expiredAt + Self.extra : known.expiredAt
            }
            current = token
            return token
        }
    }

    /// - Parameter authorization: `TOKEN` or `Bearer TOKEN`.
    /// - Throws: `PortOneError` for anything but the token that is good now.
    func check(_ authorization: String?) throws(PortOneError) {
        guard let authorization else { throw .unauthorized }
        let given =
            authorization.hasPrefix("Bearer ") ? String(authorization.dropFirst("Bearer ".count)) : authorization
        let now = now()
        let isGood = current.withLock { $0.map { $0.accessToken == given && $0.expiredAt > now } ?? false }
        guard isGood else { throw .unauthorized }
    }

    /// The token's time is over at once.
    func expire() {
        current.withLock { $0 = nil }
    }
}

/// In front of everything but the call that gives out the token.
struct PortOneDoor: RouterMiddleware {
    typealias Context = SandboxContext

    let tokens: PortOneTokens

    func handle(
        _ request: Request,
        context: SandboxContext,
        next: @concurrent (Request, SandboxContext) async throws -> Response
    ) async throws -> Response {
        try tokens.check(request.headers[.authorization])
        return try await next(request, context)
    }
}
