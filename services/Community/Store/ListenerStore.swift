import Contracts
import Postgres
import Profiles

/// SQL of the accounts that are notified of a comment.
struct ListenerStore: Sendable {
    /// The author of a post, and that of a comment.
    ///
    /// - Parameters:
    ///   - publicID: The post's public ID.
    ///   - comment: The comment's ID; nil for none.
    func authors(
        ofPost publicID: PublicID,
        comment: CommentID?,
        in transaction: PostgresTransaction
    ) async throws -> (post: AccountID, comment: AccountID?) {
        try await transaction.one(
            """
            SELECT p.author_id, (SELECT author_id FROM comments WHERE id = \(comment)) FROM posts p
            WHERE p.public_id = \(publicID)
            """
        ) { try $0.decode(as: (AccountID, AccountID?).self) }
    }
}
