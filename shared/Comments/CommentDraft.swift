import TypedText

/// A comment about to be made.
package struct CommentDraft: Sendable, Equatable {
    package var content: String
    /// What it answers, as the app calls it.
    package var parentID: String?
    /// What the phone calls the request, so that a repeated one makes no second comment.
    package var requestKey: String?

    package init(content: String, parentID: String? = nil, requestKey: String? = nil) {
        self.content = content
        self.parentID = parentID
        self.requestKey = requestKey
    }

    /// - Parameter limit: how many characters a comment may have.
    /// - Throws: `CommentError.rule` for the first field that breaks one.
    func check(limit: Int) throws(CommentError) {
        try Self.check(content, limit: limit)
        if let requestKey, !TypedText.isFine(requestKey, limit: 200) {
            throw .rule("Idempotency-Key must have 1 to 200 characters that can be shown.")
        }
    }

    static func check(_ content: String, limit: Int) throws(CommentError) {
        guard TypedText.isFine(content, limit: limit, manyLines: true) else {
            throw .rule("content must have 1 to \(limit) characters that can be shown.")
        }
    }
}
