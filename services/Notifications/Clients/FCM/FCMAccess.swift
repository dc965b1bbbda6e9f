import AsyncHTTPClient
import Contracts
import FoundationEssentials
import ServiceKit
import Synchronization

/// The OAuth 2.0 access token of one app's service account. Concurrent callers share one request for it; it is renewed
/// before its expiry.
final class FCMAccess: Sendable {
    /// The token, and the project for which it is valid.
    struct Grant: Sendable, Equatable {
        var project: String
        var token: String
        var endsAt: Date
    }

    private struct State {
        var grant: Grant?
        var request: Task<Grant, any Error>?
    }

    private let app: App
    private let credentials: FCMCredentials
    private let http: HTTPClient
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Seconds before expiry at which a new token is requested while the old one is still used.
    private static let early: TimeInterval = 300
    /// Seconds before expiry at which a token is no longer used.
    private static let margin: TimeInterval = 30

    init(
        app: App,
        credentials: FCMCredentials,
        timeout: Duration,
        http: HTTPClient,
        now: @escaping @Sendable () -> Date
    ) {
        self.app = app
        self.credentials = credentials
        self.timeout = timeout
        self.http = http
        self.now = now
    }

    /// - Throws: `ProviderUnavailable`, `FCMAccessRefused`.
    func current() async throws -> Grant {
        let (grant, request) = state.withLock { state in
            let rest = state.grant.map { $0.endsAt.timeIntervalSince(now()) } ?? 0
            if rest > Self.early { return (state.grant, Task<Grant, any Error>?.none) }
            return (rest > Self.margin ? state.grant : nil, ask(&state))
        }
        if let grant { return grant }
        guard let request else { throw ProviderUnavailable(provider: "Google") }
        return try await request.value
    }

    /// Discards a token that FCM has rejected before its expiry.
    func drop(_ refused: Grant) {
        state.withLock { if $0.grant == refused { $0.grant = nil } }
    }

    private func ask(_ state: inout State) -> Task<Grant, any Error> {
        if let request = state.request { return request }
        let request = Task {
            do {
                let grant = try await exchange()
                self.state.withLock { $0 = State(grant: grant) }
                return grant
            } catch {
                self.state.withLock { $0.request = nil }
                throw error
            }
        }
        state.request = request
        return request
    }

    private func exchange() async throws -> Grant {
        let account = try await credentials.account(of: app, timeout: timeout, http: http)
        let google = ProviderConnection(
            provider: "Google",
            baseURL: account.tokenURI,
            http: http,
            timeout: timeout
        )
        let now = now()
        let form = [
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": try account.assertion(at: now),
        ]
        let answer = try await google.post("", form: form)
        guard answer.status < 400 else { throw FCMAccessRefused(reason: answer.error ?? "\(answer.status)") }
        guard let token = answer.value(Token.self) else { throw google.unavailable }
        return Grant(project: account.projectID, token: token.accessToken, endsAt: now + token.expiresIn)
    }

    private struct Token: Decodable {
        var accessToken: String
        /// Seconds.
        var expiresIn: Double

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
        }
    }
}

/// Google rejects the service account.
struct FCMAccessRefused: Error, Sendable, Equatable {
    var reason: String
}
