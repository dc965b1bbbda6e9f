package import Apps
package import Contracts
package import ServiceDatabase

/// A comment in Anlaka's format (contract 1.7, Comment and Reply).
package struct CommentBody: Encodable, Sendable {
    package var commentID: PublicID
    package var content: String
    package var createdAt: SeSACInstant
    package var creator: UserInfo
    /// Omitted if replies are not part of the response.
    package var replies: [CommentBody]?

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator, replies
    }

    package init(_ comment: Comment) {
        commentID = comment.publicID
        content = comment.content
        createdAt = SeSACInstant(comment.createdAt)
        creator = UserInfo(comment.author)
    }

    /// Creates the body with its replies, including an empty list.
    package init(_ thread: CommentThread) {
        self.init(thread.comment)
        replies = thread.replies.map(CommentBody.init)
    }
}

/// The request body for a new comment (Anlaka contract 2.6, call 49).
package struct NewCommentBody: Decodable, Sendable {
    /// The public id of the parent comment.
    package var parentID: String?
    package var content: String

    enum CodingKeys: String, CodingKey {
        case parentID = "parent_comment_id"
        case content
    }

    /// - Parameters:
    ///   - comments: The comments that the new one is to be added to.
    ///   - requestKey: The client's idempotency key.
    /// - Throws: `CommentError.rule` for a parent that cannot be a comment.
    package func draft(in comments: Comments<some RowIdentifier>, requestKey: String?) throws(CommentError)
        -> CommentDraft
    {
        let parent = try parentID.map { text throws(CommentError) in
            try PublicID(parsing: text, else: comments.parentRule)
        }
        return CommentDraft(content: content, parentID: parent, requestKey: requestKey)
    }
}

/// The request body for changing a comment (Anlaka contract 2.6, call 50).
package struct CommentChangeBody: Decodable, Sendable {
    package var content: String
}
