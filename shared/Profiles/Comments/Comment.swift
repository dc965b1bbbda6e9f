package import Contracts
package import FoundationEssentials
import Postgres
import ServiceDatabase

/// A comment or a reply, by its row.
package struct CommentID: RowIdentifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A comment or a reply.
package struct Comment: Sendable, Equatable {
    package var id: CommentID
    /// The id that the apps use.
    package var publicID: PublicID
    /// The id of the parent comment; nil for a comment that is not a reply.
    package var parent: CommentID?
    package var content: String
    package var createdAt: Date
    package var author: Person
}

/// A comment with its replies.
package struct CommentThread: Sendable, Equatable {
    package var comment: Comment
    /// Oldest first.
    package var replies: [Comment]
}
