import Contracts
import Events
import Postgres
import Profiles

/// Publishes comments for the authors of the post and of the comment replied to, but not for the comment's own author.
struct CommentNews: Sendable {
    let app: App
    let outbox: Outbox
    private let store = ListenerStore()

    init(of app: App, outbox: Outbox) {
        self.app = app
        self.outbox = outbox
    }

    /// - Parameter post: The post's public ID.
    func tell(of comment: Comment, on post: PublicID, in transaction: PostgresTransaction) async throws {
        let authors = try await store.authors(ofPost: post, comment: comment.parent, in: transaction)
        let listeners = Set([authors.post, authors.comment].compactMap(\.self)).subtracting([comment.author.account])
        let events = listeners.sorted().map { listener in
            CommunityEvents.CommentWritten(
                app: app,
                account: listener,
                sender: comment.author.account,
                post: post,
                comment: comment.publicID,
                text: comment.content,
                isReply: listener == authors.comment
            )
        }
        try outbox.publish(events, in: transaction)
    }
}
