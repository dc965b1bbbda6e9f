import AppWire
import People

/// What somebody said (Anlaka contract 1.7, Comment and Reply).
struct CommentBody: Encodable {
    var commentID: String
    var content: String
    var createdAt: SeSACInstant
    var creator: UserInfo
    /// Left out where none are shown.
    var replies: [CommentBody]?

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator, replies
    }

    init(_ comment: Comment) {
        commentID = comment.publicID
        content = comment.content
        createdAt = SeSACInstant(comment.createdAt)
        creator = UserInfo(comment.author)
    }

    /// With its answers, also where there are none.
    init(_ thread: CommentThread) {
        self.init(thread.comment)
        replies = thread.replies.map(CommentBody.init)
    }
}
