import Contracts
import FoundationEssentials

/// A notification for a user's list and devices.
struct InAppNotificationDraft: Sendable, Equatable {
    var app: App
    var account: AccountID
    /// The account that caused it; nil for notifications by the system.
    var sender: AccountID?
    /// One of the app's kinds (`PushKind`).
    var kind: String
    var title: String
    var body: String
    /// Additional data of the push, besides `type`, which is the kind.
    var data: [String: String] = [:]
    /// The key under which the app reads the notification's ID in the push; nil for apps that do not.
    var idKey: String?
    /// The user has seen it already: it is stored, but not pushed.
    var isSeen = false
    /// The session that it is about, whose device gets no push.
    var session: String?
    /// Identifies the cause. One notification is stored per source.
    var source: UUID
}
