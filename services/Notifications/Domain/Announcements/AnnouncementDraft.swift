import Contracts
import FoundationEssentials

/// An announcement to all users of an app.
struct AnnouncementDraft: Sendable, Equatable {
    var app: App
    var text: NotificationText
    /// The author's account; nil for operators.
    var author: AccountID?
    /// Identifies the request. One announcement is stored per source.
    var source: UUID
}
