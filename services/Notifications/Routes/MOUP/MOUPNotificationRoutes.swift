import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// MOUP's notifications or announcements (contract 1.4, calls 50 to 61).
///
/// The app requests whole lists. With `size` the newest entries are returned, and with `cursor` those before it; the
/// next cursor and the number of unread entries are in headers, since the body is a bare array.
struct MOUPNotificationRoutes<Body: Encodable & Sendable> {
    let list: any NotificationList
    /// Name of the path parameter.
    let id: String
    /// Whether an entry can be marked as read only once, with the entry as response (call 58).
    let isReadOnce: Bool
    let body: @Sendable (NotificationItem, _ receiver: AccountID) -> Body

    /// `GET …` → 200, oldest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reader = Reader(context)
        let query = NotificationQuery(
            before: try request.cursorQuery("cursor", end: -1),
            limit: try request.sizeQuery() ?? NotificationLimits.all
        )
        let page = try await list.page(query, for: reader)
        var response = try Response.json(page.notices.reversed().map { body($0, context.account) })
        response.headers[.nextCursor] = String(page.next?.rawValue ?? -1)
        response.headers[.unreadCount] = String(try await list.unread(of: reader))
        return response
    }

    /// `GET …/{id}` → 200; 404 when the caller has no such entry.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let notice = try await list.notice(context.pathID(id, as: NotificationID.self), for: Reader(context))
        return try .json(body(notice, context.account))
    }

    /// `PATCH …/{id}/read` → 200; for notifications with the notification, and 409 if it was read before.
    func read(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (notice, wasRead) = try await list.read(context.pathID(id, as: NotificationID.self), by: Reader(context))
        guard isReadOnce else { return .empty(.ok) }
        guard !wasRead else { throw NotificationsError.alreadyRead }
        return try .json(body(notice, context.account))
    }

    /// `PATCH …/read` → 200.
    func readAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.readAll(by: Reader(context))
        return .empty(.ok)
    }

    /// `DELETE …/{id}` → 200; 404 when the caller has no such entry.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.delete(context.pathID(id, as: NotificationID.self), by: Reader(context))
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
    /// `X-Unread-Count`: number of unread entries in the whole list.
    fileprivate static let unreadCount = HTTPField.Name("X-Unread-Count") ?? .via
}
