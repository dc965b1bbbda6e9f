import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// Session management of the signed-in user, the same for every app. The apps have no such calls.
///
/// `GET` lists, `PATCH /{sessionId}` renames, `DELETE /{sessionId}` ends one, `DELETE` ends all others, or all with
/// `?includeCurrent=true`. With Suhyeon's responses are in its envelope.
struct SessionRoutes {
    let sessions: Sessions

    struct RenameRequest: Decodable {
        var name: String
    }

    struct SessionResponse: Encodable {
        var sessionId: String
        var name: String?
        /// The device's `User-Agent`.
        var device: String?
        var address: String?
        /// ISO 8601, UTC, with milliseconds.
        var createdAt: String
        var lastSeenAt: String
        /// Whether this is the caller's session.
        var current: Bool

        init(_ session: Sessions.Summary, current: String) {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            self.sessionId = session.id
            self.name = session.name
            self.device = session.device
            self.address = session.address
            self.createdAt = session.createdAt.formatted(style)
            self.lastSeenAt = session.seenAt.formatted(style)
            self.current = session.id == current
        }
    }

    struct ListResponse: Encodable {
        var sessions: [SessionResponse]
    }

    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let sessions = try await sessions.list(of: context.account)
        return try .json(
            ListResponse(sessions: sessions.map { SessionResponse($0, current: context.session) }),
            for: context.app
        )
    }

    func rename(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(RenameRequest.self, context)
        let session = try await sessions.rename(
            context.parameters.require("sessionId"),
            of: context.account,
            to: body.name,
            origin: Origin(request, context)
        )
        return try .json(SessionResponse(session, current: context.session), for: context.app)
    }

    func revoke(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let session = try context.parameters.require("sessionId")
        try await sessions.revoke(
            session,
            of: context.account,
            app: context.app,
            current: context.session,
            origin: Origin(request, context)
        )
        return .empty(.noContent).ending([sessions.revocation(of: session, in: context.app)])
    }

    func revokeAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let includesCurrent = request.query("includeCurrent") == "true"
        let ended = try await sessions.revokeAll(
            of: context.account,
            app: context.app,
            except: includesCurrent ? nil : context.session,
            origin: Origin(request, context)
        )
        return .empty(.noContent).ending(ended)
    }

    func add(to app: AppRoutes<some SessionCalls>) {
        app.on(\.listSessions, use: list)
        app.on(\.endOtherSessions, use: revokeAll)
        app.on(\.renameSession, use: rename)
        app.on(\.endSession, use: revoke)
    }
}

extension Response {
    /// A response body, in With Suhyeon's envelope where the app requires it.
    fileprivate static func json(_ value: some Encodable, for app: App) throws -> Response {
        app == .withsuhyeon ? try .withSuhyeon(value) : try .json(value)
    }
}
