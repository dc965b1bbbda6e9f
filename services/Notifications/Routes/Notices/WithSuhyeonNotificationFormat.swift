import Apps
import Hummingbird
import ServiceKit
import Values

/// Notifications in With Suhyeon's format, in the app's envelope.
struct WithSuhyeonNotificationFormat: NotificationFormat {
    struct Item: Encodable {
        var notificationId: NotificationID
        var type: String
        var title: String
        var body: String
        var data: [String: String]
        var createdAt: LocalInstant
        @Nullable var readAt: LocalInstant?

        init(_ notice: NotificationItem) {
            notificationId = notice.id
            type = notice.kind
            title = notice.title
            body = notice.body
            data = notice.data
            createdAt = LocalInstant(notice.at)
            readAt = notice.readAt.map(LocalInstant.init)
        }
    }

    struct PageResult: Encodable {
        var notifications: [Item]
        var nextCursor: String
        var unreadCount: Int
    }

    struct UnreadResult: Encodable {
        var unreadCount: Int
    }

    func page(_ page: Page<NotificationItem>, unread: Int) throws -> Response {
        let items = page.items.map(Item.init)
        return try .withSuhyeon(PageResult(notifications: items, nextCursor: page.next.text, unreadCount: unread))
    }

    func notice(_ notice: NotificationItem) throws -> Response { try .withSuhyeon(Item(notice)) }

    func unread(_ count: Int) throws -> Response { try .withSuhyeon(UnreadResult(unreadCount: count)) }
}
