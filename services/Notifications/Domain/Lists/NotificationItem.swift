import Contracts
import FoundationEssentials

/// An entry of a list: an in-app notification of one user, or an announcement.
struct NotificationItem: Sendable, Equatable {
    var id: NotificationID
    /// One of the app's kinds (`PushKind`).
    var kind: String
    var title: String
    var body: String
    /// Data with which the app opens the subject: the same as in the push.
    var data: [String: String]
    /// The account that caused it; nil for the system and withdrawn accounts.
    var sender: AccountID?
    /// Rounded to milliseconds.
    var at: Date
    /// nil when unread.
    var readAt: Date?
}
