/// A filter and page of a list.
struct NotificationQuery: Sendable, Equatable {
    /// Only entries of this kind.
    var kind: String?
    /// Only read, or only unread entries.
    var isRead: Bool?
    /// Only entries with smaller IDs: those after the page that ended with it.
    var before: NotificationID?
    /// Maximum number of entries.
    var limit: Int
}

/// A page of a list, newest first.
struct NotificationPage: Sendable, Equatable {
    var notices: [NotificationItem]
    /// Whether this is the last page.
    var isLast: Bool

    /// - Parameter found: The entries, including at least one beyond `limit` if there are more.
    init(_ found: [NotificationItem], limit: Int) {
        notices = Array(found.prefix(limit))
        isLast = found.count <= limit
    }
}
