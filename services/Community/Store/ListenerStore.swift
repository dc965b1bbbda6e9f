import Postgres

/// All SQL of whom a comment concerns.
struct ListenerStore: Sendable {
    /// The author of a post, and that of a comment.
    ///
    /// - Parameters:
    ///   - publicID: the post's.
    ///   - comment: nil for none.
    func authors(
        ofPost publicID: String,
        comment: Int64?,
        in transaction: PostgresTransaction
    ) async throws -> (post: Int64, comment: Int64?) {
        try await transaction.one(
            """
            SELECT p.author_id, (SELECT author_id FROM comments WHERE id = \(comment)) FROM posts p
            WHERE p.public_id = \(publicID)
            """
        ) { try $0.decode(as: (Int64, Int64?).self) }
    }
}
