/// Which part of a list somebody wants to see.
struct NoticeQuery: Sendable, Equatable {
    /// Only those of one kind.
    var kind: String?
    /// Only those that are read, or are not.
    var isRead: Bool?
    /// Only those whose ids are lower: what follows after the page that ended with it.
    var before: Int64?
    /// How many at most.
    var limit: Int
}

/// A part of a list, the latest first.
struct NoticePage: Sendable, Equatable {
    var notices: [Notice]
    /// Whether nothing comes after it.
    var isLast: Bool

    /// - Parameter found: what is there, at least one more than `limit` if there are as many.
    init(_ found: [Notice], limit: Int) {
        notices = Array(found.prefix(limit))
        isLast = found.count <= limit
    }
}
