import Hummingbird
import ServiceKit

/// An app's response format for lists of notifications.
protocol NotificationFormat: Sendable {
    func page(_ page: Page<NotificationItem>, unread: Int) throws -> Response
    func notice(_ notice: NotificationItem) throws -> Response
    /// The number of unread entries after a change.
    func unread(_ count: Int) throws -> Response
}
