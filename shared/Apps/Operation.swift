package import Contracts

/// One call of an app: where it is, which service serves it, and what the gateway checks and does before the service is asked.
package struct Operation: Sendable, Hashable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Who may make the call.
    package enum Access: Sendable {
        /// Anyone. The service checks a token that comes along.
        case anyone
        /// Anyone who sends the app's key (Anlaka and Seoul Culture).
        case appKey
        /// As `appKey`. A valid access token identifies the user to the service; the call is accepted without one, too.
        case optionalUser
        /// As `optionalUser`, and without the app's key: a page that browsers return to.
        case page
        /// Only a user with a valid access token of the app, and with the app's key where the app has one.
        case user

        /// Whether the app's key is needed, for an app that has one.
        package var needsKey: Bool { self != .anyone && self != .page }
        /// Whether a valid access token identifies the user to the service.
        package var identifiesUser: Bool { self == .user || self == .optionalUser || self == .page }
    }

    /// Which rate limit of the client's address a call counts for.
    package enum Rate: Int, Sendable, CaseIterable {
        case general
        /// Password and code checks, new accounts, text messages.
        case signIn
    }

    /// What the gateway does with a refresh token that comes with a call.
    package enum RefreshToken: Sendable {
        /// It refreshes an access token that has expired, or is about to, and does not forward the refresh token.
        case refreshes
        /// Nothing: the call ends or begins the session of the access token as it is.
        case ignored
        /// It forwards the refresh token to the service: the app's own refresh.
        case forwarded
    }

    /// Which calls a service that is full still answers.
    package enum Priority: Sendable, CaseIterable {
        /// Reads: the app shows what it has, and asks again.
        case low
        case normal
        /// Money and signing in.
        case high
    }

    /// How large a body may be; the gateway's configuration has the bytes.
    package enum Body: Sendable {
        case document, upload
    }

    package let method: Method
    /// `/user/seats/{seatId}/yield`; `{…}` stands for one segment.
    package let path: String
    package let service: ServiceName
    package let access: Access
    package let rate: Rate
    package let body: Body
    package let refreshToken: RefreshToken
    /// Whether the gateway forwards the call while the service reports that it is not ready, as when its database is away.
    package let servedWhileUnready: Bool
    /// Whether the call is a WebSocket handshake (RFC 6455 §4.2).
    package let isWebSocket: Bool
    /// How long caches keep the response before they ask whether it has changed, in seconds, 0 for not at all: of a call that
    /// phones repeat and that is rarely answered anew. nil for other calls.
    package let maxAge: Int?

    package init(
        _ method: Method,
        _ path: String,
        _ service: ServiceName,
        access: Access = .user,
        rate: Rate = .general,
        body: Body = .document,
        refreshToken: RefreshToken = .refreshes,
        servedWhileUnready: Bool = false,
        isWebSocket: Bool = false,
        maxAge: Int? = nil
    ) {
        self.method = method
        self.path = path
        self.service = service
        self.access = access
        self.rate = rate
        self.body = body
        self.refreshToken = refreshToken
        self.servedWhileUnready = servedWhileUnready
        self.isWebSocket = isWebSocket
        self.maxAge = maxAge
    }

    package var priority: Priority {
        switch service {
        case .payments, .auth: .high
        default: method == .get && !isWebSocket ? .low : .normal
        }
    }

    /// A webhook of an identity provider, which the service keeps on disk even while its database is away.
    package static func webhook(_ method: Method, _ path: String, _ service: ServiceName) -> Operation {
        Operation(method, path, service, access: .anyone, servedWhileUnready: true)
    }

    /// A call that answers all callers alike; see `maxAge`.
    package static func catalogue(
        _ path: String,
        _ service: ServiceName,
        access: Access = .user,
        maxAge: Int = 0
    ) -> Operation {
        Operation(.get, path, service, access: access, maxAge: maxAge)
    }

    /// A call that phones repeat while a screen is shown, and that is often answered as before; see `maxAge`.
    package static func repeated(_ path: String, _ service: ServiceName) -> Operation {
        Operation(.get, path, service, maxAge: 0)
    }

    /// How long data stays in caches that only a new version of the service changes, in seconds.
    package static let hour = 3600

    /// A WebSocket handshake.
    package static func socket(_ path: String, _ service: ServiceName, access: Access = .user) -> Operation {
        Operation(.get, path, service, access: access, isWebSocket: true)
    }
}
