import Hummingbird
import Synchronization

/// The access token. There is one at a time: repeated requests return the same until shortly before its expiry.
///
/// Source: Anlaka contract 6.1, `POST /users/getToken`.
final class PortOneTokens: Sendable {
    /// An issued token; times in Unix seconds.
    struct Token: Sendable, Encodable {
        var accessToken: String
        var now: Int
        var expiredAt: Int
    }

    private let key: String
    private let secret: String
    private let now: @Sendable () -> Int
    private let current = Mutex<Token?>(nil)

    /// The lifetime of a token, the time before expiry in which a request extends it, and the extension, in seconds.
    private static let lifetime = 1800
    private static let renewalPeriod = 60
    private static let extra = 300

    /// - Parameter now: Unix seconds.
    init(key: String, secret: String, now: @escaping @Sendable () -> Int = { PortOneTime.now }) {
        self.key = key
        self.secret = secret
        self.now = now
    }

    /// - Throws: `PortOneError` for a key or secret that is not the merchant's.
    func token(key: String, secret: String) throws(PortOneError) -> Token {
        guard key == self.key, secret == self.secret else {
            throw PortOneError(.unauthorized, "인증에 실패하였습니다. API키와 secret을 확인하세요.")
        }
        let now = now()
        return current.withLock { current in
            var token = Token(accessToken: RandomToken.make(), now: now, expiredAt: now + Self.lifetime)
            if let known = current, known.expiredAt > now {
                token.accessToken = known.accessToken
                token.expiredAt =
                    known.expiredAt - now < Self.renewalPeriod ? known.expiredAt + Self.extra : known.expiredAt
            }
            current = token
            return token
        }
    }

    /// - Parameter authorization: `TOKEN` or `Bearer TOKEN`.
    /// - Throws: `PortOneError` for anything but the current token.
    func check(_ authorization: String?) throws(PortOneError) {
        guard let authorization else { throw .unauthorized }
        let given =
            authorization.hasPrefix("Bearer ") ? String(authorization.dropFirst("Bearer ".count)) : authorization
        let now = now()
        let isGood = current.withLock { $0.map { $0.accessToken == given && $0.expiredAt > now } ?? false }
        guard isGood else { throw .unauthorized }
    }

    func expire() {
        current.withLock { $0 = nil }
    }
}

/// Checks the access token of all calls but the one that issues it.
struct PortOneTokenMiddleware: RouterMiddleware {
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
