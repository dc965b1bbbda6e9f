import Hummingbird
import ServiceKit

/// Notifications or announcements of the apps without such lists in their contracts. The routes are the same; each app
/// has its own format.
struct NotificationRoutes {
    let list: any NotificationList
    let wire: any NotificationFormat

    /// `GET …?limit=&next=` → 200 with a page, newest first, and the number of unread entries in the list.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reader = Reader(context)
        let (limit, after) = try request.pageQuery(usual: 20)
        let page = try await list.page(
            NotificationQuery(before: after.map { NotificationID(rawValue: $0.id) }, limit: limit),
            for: reader
        )
        let next = page.isLast ? nil : page.notices.last.map { PageCursor($0.at, $0.id.rawValue) }
        return try wire.page(Page(page.notices, next: next ?? .end), unread: await list.unread(of: reader))
    }

    /// `PATCH …/{id}/read` → 200 with the entry; idempotent.
    func read(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try wire.notice(await list.read(id(context), by: Reader(context)).notice)
    }

    /// `PATCH …/read` → 200.
    func readAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.readAll(by: Reader(context))
        return try await left(for: context)
    }

    /// `DELETE …/{id}` → 200.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.delete(id(context), by: Reader(context))
        return try await left(for: context)
    }

    /// `DELETE …` → 200.
    func deleteAll(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.deleteAll(by: Reader(context))
        return try await left(for: context)
    }

    private func left(for context: SignedInContext) async throws -> Response {
        try wire.unread(await list.unread(of: Reader(context)))
    }

    private func id(_ context: SignedInContext) throws -> NotificationID {
        guard let id: NotificationID = context.id("notificationId") else {
            throw NotificationsError.noticeNotFound(context.app)
        }
        return id
    }
}
