package import Contracts
package import FoundationEssentials

/// A comment or a reply.
package struct Comment: Sendable, Equatable {
    package var id: Int64
    /// The id that the apps use.
    package var publicID: PublicID
    /// The id of the parent comment; nil for a comment that is not a reply.
    package var parent: Int64?
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
