import Apps
import Hummingbird
import ServiceKit
import Values

/// Notifications in the format of Anlaka and Seoul Culture.
struct SeSACNotificationFormat: NotificationFormat {
    struct Item: Encodable {
        var notificationID: String
        var type: String
        var title: String
        var body: String
        var data: [String: String]
        var createdAt: SeSACInstant
        @Nullable var readAt: SeSACInstant?

        enum CodingKeys: String, CodingKey {
            case type, title, body, data, createdAt, readAt
            case notificationID = "notification_id"
        }

        init(_ notice: NotificationItem) {
            notificationID = String(notice.id)
            type = notice.kind
            title = notice.title
            body = notice.body
            data = notice.data
            createdAt = SeSACInstant(notice.at)
            readAt = notice.readAt.map(SeSACInstant.init)
        }
    }

    struct PageResponse: Encodable {
        var data: [Item]
        var nextCursor: String
        var unreadCount: Int

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
            case unreadCount = "unread_count"
        }
    }

    struct UnreadResponse: Encodable {
        var unreadCount: Int

        enum CodingKeys: String, CodingKey {
            case unreadCount = "unread_count"
        }
    }

    func page(_ page: Page<NotificationItem>, unread: Int) throws -> Response {
        try .json(PageResponse(data: page.items.map(Item.init), nextCursor: page.next.text, unreadCount: unread))
    }

    func notice(_ notice: NotificationItem) throws -> Response { try .json(Item(notice)) }

    func unread(_ count: Int) throws -> Response { try .json(UnreadResponse(unreadCount: count)) }
}
