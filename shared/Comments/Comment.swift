package import FoundationEssentials
package import People

/// What somebody said of something, or answered to that.
package struct Comment: Sendable, Equatable {
    package var id: Int64
    /// 24 lower-case hexadecimal digits: what the apps call it.
    package var publicID: String
    /// The id of what it answers.
    package var parent: Int64?
    package var content: String
    package var createdAt: Date
    package var author: Person
}

/// A comment with what was answered to it.
package struct CommentThread: Sendable, Equatable {
    package var comment: Comment
    /// The oldest first.
    package var replies: [Comment]
}
