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

    private let app: App
    private let credentials: FCMCredentials
    private let http: HTTPClient
    private let timeout: Duration
    private let now: @Sendable () -> Date
    private let grant = Mutex<Grant?>(nil)
    private let requests = SingleFlight<App, Grant>()

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
        guard let known = grant.withLock(\.self) else { return try await renewed() }
        let rest = known.endsAt.timeIntervalSince(now())
        guard rest > Self.margin else { return try await renewed() }
        if rest <= Self.early { Task { try await renewed() } }
        return known
    }

    /// Discards a token that FCM has rejected before its expiry.
    func drop(_ refused: Grant) {
        grant.withLock { if $0 == refused { $0 = nil } }
    }

    private func renewed() async throws -> Grant {
        try await requests.value(for: app) {
            let grant = try await self.exchange()
            self.grant.withLock { $0 = grant }
            return grant
        }
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
