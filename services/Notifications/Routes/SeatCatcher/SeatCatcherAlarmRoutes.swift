import Apps
import Hummingbird
import ServiceKit

/// SeatCatcher's notifications (contract 1.5, calls 28 to 31), or announcements, which are not in the app's contract.
struct SeatCatcherAlarmRoutes {
    let list: any NotificationList
    /// Name of the path parameter.
    let id: String

    struct Item: Encodable {
        var id: NotificationID
        var type: String
        var read: Bool
        var title: String
        var body: String
        var localDateTime: LocalInstant

        init(_ notice: NotificationItem) {
            id = notice.id
            type = notice.kind
            read = notice.readAt != nil
            title = notice.title
            body = notice.body
            localDateTime = LocalInstant(notice.at)
        }
    }

    struct ListResponse: Encodable {
        var userAlarmItemList: [Item]
        /// -1 on the last page.
        var nextCursor: Int64
        var last: Bool
        /// Of the whole list, not only of this page.
        var unreadCount: Int
    }

    private static let end: Int64 = -1

    /// `GET /alarms/me?size=&cursor=&type=&isRead=` → 200, newest first. `cursor` is the `nextCursor` of the previous
    /// page.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reader = Reader(context)
        let query = NotificationQuery(
            kind: try request.kindQuery(of: reader),
            isRead: try request.boolQuery("isRead"),
            before: try request.cursorQuery("cursor", end: Self.end),
            limit: try request.sizeQuery() ?? 10
        )
        let page = try await list.page(query, for: reader)
        return try .json(
            ListResponse(
                userAlarmItemList: page.notices.map(Item.init),
                nextCursor: page.next?.rawValue ?? Self.end,
                last: page.isLast,
                unreadCount: await list.unread(of: reader)
            )
        )
    }

    /// `GET /alarms/{alarmId}` → 200 with the notification, and marks it as read; 403 for another user's, 404 when it
    /// does not exist.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(Item(await list.read(noticeID(context), by: Reader(context)).notice))
    }

    /// `DELETE /alarms/{alarmId}` → 200 with a text.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await list.delete(noticeID(context), by: Reader(context))
        return .text("The alarm is deleted.")
    }

    /// `GET /alarms/` → 200 with an empty body, as in the contract (SeatCatcher contract, call 31).
    func root(_ request: Request, _ context: SignedInContext) async throws -> Response {
        .empty(.ok)
    }

    private func noticeID(_ context: SignedInContext) throws -> NotificationID {
        guard let number: NotificationID = context.id(id) else {
            throw Problem(.badParameter, message: "\(id) must be a whole number above 0.")
        }
        return number
    }
}

extension Request {
    /// `type`: one of the app's kinds; nil for all.
    fileprivate func kindQuery(of reader: Reader) throws -> String? {
        guard let kind = query("type"), !kind.isEmpty else { return nil }
        guard PushKind.all(of: reader.app).contains(kind) else {
            throw Problem(
                .badParameter,
                message: "type must be one of \(PushKind.all(of: reader.app).joined(separator: ", "))."
            )
        }
        return kind
    }
}
