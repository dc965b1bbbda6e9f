package import Contracts
import Values

/// A comment to be created.
package struct CommentDraft: Sendable, Equatable {
    package var content: String
    /// The public id of the parent comment.
    package var parentID: PublicID?
    /// The client's idempotency key, so that a repeated request creates no second comment.
    package var requestKey: String?

    package init(content: String, parentID: PublicID? = nil, requestKey: String? = nil) {
        self.content = content
        self.parentID = parentID
        self.requestKey = requestKey
    }

    /// - Parameter limit: The maximum number of characters in a comment.
    /// - Throws: `CommentError.rule` for the first field that breaks a rule.
    func check(limit: Int) throws(CommentError) {
        try Self.check(content, limit: limit)
        if let requestKey, !TypedText.isValid(requestKey, limit: 200) {
            throw .rule("Idempotency-Key must have 1 to 200 characters that can be shown.")
        }
    }

    static func check(_ content: String, limit: Int) throws(CommentError) {
        guard TypedText.isValid(content, limit: limit, manyLines: true) else {
            throw .rule("content must have 1 to \(limit) characters that can be shown.")
        }
    }
}
