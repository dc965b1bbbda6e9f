import Contracts

/// Where a call goes and what it needs: one line of an app's table.
final class Route: Sendable {
    /// Who may use a route.
    enum Access: Sendable, Equatable {
        /// Anybody; a token that comes along is the service's business.
        case open
        /// Anybody with the app's key (Anlaka and Seoul Culture).
        case key
        /// As `key`; a valid access token is vouched for, and a missing or bad one is no reason to refuse.
        case optional
        /// Anybody, also without the app's key: pages that browsers come back to. As `optional` otherwise.
        case page
        /// Only with a valid access token of the app, and with its key where it has one.
        case user

        /// Whether an app that has a key is known by it here.
        var needsKey: Bool { self != .open && self != .page }
        /// Whether whoever shows a valid access token is vouched for.
        var asksWho: Bool { self == .user || self == .optional || self == .page }
    }

    /// Which of the address's allowances a call uses.
    enum Rate: Int, Sendable, CaseIterable {
        case general
        /// Guessing passwords and codes, making accounts, spending text messages.
        case signIn
    }

    /// What becomes of a refresh token that comes with a call.
    enum RefreshToken: Sendable {
        /// The gateway renews the access token by it when that is due, and keeps it to itself.
        case renews
        /// Nothing: what the call ends, or begins, is the session of the access token as it is.
        case ignored
        /// It goes to the service: the app's own refresh.
        case passed
    }

    /// How large a body may be; the bytes are configuration.
    enum BodySize: Sendable {
        case document, upload
    }

    let app: App
    let methods: [Method]
    /// `/user/seats/{seatId}/yield`; `{…}` stands for one segment, `**` at the end for one or more.
    let pattern: String
    let service: ServiceName
    let access: Access
    let rate: Rate
    let body: BodySize
    let refreshToken: RefreshToken
    /// Whether it works while its service says that it is not ready, as when the database is away.
    let worksUnready: Bool
    /// Opened by a WebSocket handshake only (RFC 6455 §4.2).
    let isSocket: Bool

    init(_ app: App, _ entry: RouteTable.Entry) {
        self.app = app
        methods = entry.methods
        pattern = entry.pattern
        service = entry.service
        access = entry.access
        rate = entry.rate
        body = entry.body
        refreshToken = entry.refreshToken
        worksUnready = entry.worksUnready
        isSocket = entry.isSocket
    }
}

/// The calls of one app.
struct RouteTable: Sendable {
    let app: App
    let routes: [Route]

    /// - Parameter more: lines that several apps have.
    init(_ app: App, _ entries: [Entry], _ more: [Entry] = []) {
        self.app = app
        self.routes = (entries + more).map { Route(app, $0) }
    }

    /// One line of a table.
    struct Entry: Sendable {
        fileprivate var methods: [Method]
        fileprivate var pattern: String
        fileprivate var service: ServiceName
        fileprivate var access = Route.Access.user
        fileprivate var rate = Route.Rate.general
        fileprivate var body = Route.BodySize.document
        fileprivate var isSocket = false
        fileprivate var refreshToken = Route.RefreshToken.renews
        fileprivate var worksUnready = false

        static func get(
            _ pattern: String,
            _ service: ServiceName,
            _ access: Route.Access = .user,
            rate: Route.Rate = .general
        ) -> Entry {
            on([.get], pattern, service, access, rate: rate)
        }

        static func post(
            _ pattern: String,
            _ service: ServiceName,
            _ access: Route.Access = .user,
            rate: Route.Rate = .general,
            body: Route.BodySize = .document
        ) -> Entry {
            on([.post], pattern, service, access, rate: rate, body: body)
        }

        static func put(_ pattern: String, _ service: ServiceName, body: Route.BodySize = .document) -> Entry {
            on([.put], pattern, service, body: body)
        }

        static func patch(
            _ pattern: String,
            _ service: ServiceName,
            _ access: Route.Access = .user,
            rate: Route.Rate = .general
        ) -> Entry {
            on([.patch], pattern, service, access, rate: rate)
        }

        static func delete(_ pattern: String, _ service: ServiceName) -> Entry {
            on([.delete], pattern, service)
        }

        /// Several methods of one address with the same needs.
        static func on(
            _ methods: [Method],
            _ pattern: String,
            _ service: ServiceName,
            _ access: Route.Access = .user,
            rate: Route.Rate = .general,
            body: Route.BodySize = .document
        ) -> Entry {
            Entry(methods: methods, pattern: pattern, service: service, access: access, rate: rate, body: body)
        }

        func refreshToken(_ fate: Route.RefreshToken) -> Entry {
            var entry = self
            entry.refreshToken = fate
            return entry
        }

        /// Goes to the service even when that is not ready.
        func unready() -> Entry {
            var entry = self
            entry.worksUnready = true
            return entry
        }

        /// A WebSocket.
        static func socket(_ pattern: String, _ service: ServiceName, _ access: Route.Access) -> Entry {
            Entry(methods: [.get], pattern: pattern, service: service, access: access, isSocket: true)
        }
    }
}
