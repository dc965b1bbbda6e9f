import FoundationEssentials

/// Something that somebody finds in one of their lists: an alarm of their own, or an announcement to everybody.
struct Notice: Sendable, Equatable {
    var id: Int64
    /// One of the app's kinds (`PushKind`).
    var kind: String
    var title: String
    var body: String
    /// What an app needs to open what it is about: the same as in the push.
    var data: [String: String]
    /// Who caused it; nil for what came by itself, and for who has left.
    var sender: Int64?
    /// Whole milliseconds.
    var at: Date
    /// nil while it is unread.
    var readAt: Date?
}
