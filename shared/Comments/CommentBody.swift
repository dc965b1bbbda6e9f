package import AppWire
package import People

/// What somebody said, as Anlaka reads it (contract 1.7, Comment and Reply).
package struct CommentBody: Encodable, Sendable {
    package var commentID: String
    package var content: String
    package var createdAt: SeSACInstant
    package var creator: UserInfo
    /// Left out where none are shown.
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

    /// With its answers, also where there are none.
    package init(_ thread: CommentThread) {
        self.init(thread.comment)
        replies = thread.replies.map(CommentBody.init)
    }
}

/// What the app sends to say something (Anlaka contract 2.6, call 49).
package struct NewCommentBody: Decodable, Sendable {
    /// What it answers.
    package var parentID: String?
    package var content: String

    enum CodingKeys: String, CodingKey {
        case parentID = "parent_comment_id"
        case content
    }

    /// - Parameter requestKey: what the phone calls the request.
    package func draft(requestKey: String?) -> CommentDraft {
        CommentDraft(content: content, parentID: parentID, requestKey: requestKey)
    }
}

/// What the app sends to say it otherwise (Anlaka contract 2.6, call 50).
package struct CommentChangeBody: Decodable, Sendable {
    package var content: String
}
