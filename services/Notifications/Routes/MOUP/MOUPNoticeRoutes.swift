import HTTPTypes
import Hummingbird
import ServiceHost

/// What MOUP's people are told of: a list of their own, or announcements (contract 1.4, calls 50 to 61).
///
/// The app asks for all at once. Whoever gives `size` gets that many of the latest, and with `cursor` those before; what to give
/// next, and how many are unread, is in headers, since the body is a bare array.
struct MOUPNoticeRoutes<Body: Encodable & Sendable> {
    let list: any NoticeList
    /// The id in the path.
    let id: String
    /// Whether a notice can be read only once, and is answered then (call 58).
    let isReadOnce: Bool
    let body: @Sendable (Notice, _ receiver: Int64) -> Body

    /// `GET …` → 200, the earliest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reader = Reader(context)
        let query = NoticeQuery(
            before: try request.cursorQuery("cursor", end: -1),
            limit: try request.sizeQuery() ?? NoticeLimits.all
        )
        let page = try await list.page(query, for: reader)
        var response = try Response.json(page.notices.reversed().map { body($0, context.account) })
        response.headers[.nextCursor] = String(page.next ?? -1)
        response.headers[.unreadCount] = String(try await list.unread(of: reader))
        return response
    }

    /// `GET …/{id}` → 200; 404 for none of theirs.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let notice = try await list.notice(context.pathID(id), for: Reader(context))
        return try .json(body(notice, context.account))
    }

    /// `PATCH …/{id}/read` → 200; for notifications with the notification, and 409 the second time.
    func read(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (notice, wasRead) = try await list.read(context.pathID(id), by: Reader(context))
        guard isReadOnce else { return .empty(.ok) }
        guard !wasRead else { throw NotificationsError.alreadyRead }
        return try .json(body(notice, context.account))
    }

    /// `PATCH …/read` → 200.
    func readAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.readAll(by: Reader(context))
        return .empty(.ok)
    }

    /// `DELETE …/{id}` → 200; 404 for none of theirs.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.delete(context.pathID(id), by: Reader(context))
        return .empty(.ok)
    }

    /// `DELETE …` → 200.
    func deleteAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.deleteAll(by: Reader(context))
        return .empty(.ok)
    }
}

extension HTTPField.Name {
    /// `X-Next-Cursor`: the `cursor` of the next page; -1 on the last.
    fileprivate static let nextCursor = HTTPField.Name("X-Next-Cursor") ?? .via
    /// `X-Unread-Count`: how many of the whole list are unread.
    fileprivate static let unreadCount = HTTPField.Name("X-Unread-Count") ?? .via
}
