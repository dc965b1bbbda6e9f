import Contracts
import FoundationEssentials

/// What everybody in an app is to be told.
struct AnnouncementDraft: Sendable, Equatable {
    var app: App
    var text: NoticeText
    /// nil for operators.
    var author: Int64?
    /// One announcement for it, however often it is asked for.
    var source: UUID
}
