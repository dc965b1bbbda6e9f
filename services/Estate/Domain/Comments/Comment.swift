import FoundationEssentials
import People
import TypedText

/// What somebody said of a listing, or answered to that.
struct Comment: Sendable, Equatable {
    var id: Int64
    var publicID: String
    /// The id of what it answers.
    var parent: Int64?
    var content: String
    var createdAt: Date
    var author: Person

    /// - Throws: `EstateError.rule`.
    static func check(_ content: String) throws(EstateError) {
        guard TypedText.isFine(content, limit: 1000, manyLines: true) else {
            throw .rule("content must have 1 to 1000 characters that can be shown.")
        }
    }
}

/// A comment with what was answered to it.
struct CommentThread: Sendable, Equatable {
    var comment: Comment
    /// The oldest first.
    var replies: [Comment]
}

/// A comment about to be made.
struct CommentDraft: Sendable, Equatable {
    var content: String
    /// What it answers.
    var parentID: String?
    /// What the phone calls the request, so that a repeated one makes no second comment.
    var requestKey: String?

    /// - Throws: `EstateError.rule` for the first field that breaks one.
    func check() throws(EstateError) {
        try Comment.check(content)
        if let requestKey, !TypedText.isFine(requestKey, limit: 200) {
            throw .rule("Idempotency-Key must have 1 to 200 characters that can be shown.")
        }
    }
}
