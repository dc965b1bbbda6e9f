import FoundationEssentials
import People
import Postgres

/// All SQL of comments.
struct CommentStore: Sendable {
    /// What a `Comment` is read from, of tables or aliases `c` and `p`.
    static let columns: SQL = "c.id, c.public_id, c.parent_id, c.content, c.created_at, \(PersonStore.columns)"

    /// A comment that answers none, by what the app calls it. Until the transaction's end it is not deleted.
    func holdParent(_ publicID: String, on listing: Int64, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            """
            SELECT id FROM comments WHERE public_id = \(publicID) AND listing_id = \(listing) AND NOT is_reply
            FOR KEY SHARE
            """
        ) { try $0.decode(Int64.self) }
    }

    /// - Returns: the comment, or the one that its author has made before under the same key; nil when that one is said of
    ///   another listing, or answers something else.
    func insert(
        _ draft: CommentDraft,
        publicID: String,
        on listing: Int64,
        answering parent: Int64?,
        by account: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Comment? {
        try await transaction.optional(
            """
            WITH made AS (
                INSERT INTO comments (public_id, listing_id, parent_id, author_id, content, request_key)
                VALUES (\(publicID), \(listing), \(parent), \(account), \(draft.content), \(draft.requestKey))
                ON CONFLICT (author_id, request_key) DO UPDATE SET request_key = excluded.request_key
                RETURNING *
            )
            SELECT \(Self.columns) FROM made c JOIN people p ON p.account_id = c.author_id
            WHERE c.listing_id = \(listing) AND c.parent_id IS NOT DISTINCT FROM \(parent)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// nil for what is not there, or is another's.
    func update(
        _ publicID: String,
        on listing: String,
        to content: String,
        by account: Int64,
        in database: some Querying
    ) async throws -> Comment? {
        try await database.optional(
            """
            UPDATE comments c SET content = \(content) FROM listings l, people p
            WHERE c.public_id = \(publicID) AND c.author_id = \(account) AND p.account_id = c.author_id
                AND l.id = c.listing_id AND l.public_id = \(listing)
            RETURNING \(Self.columns)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// - Returns: whether it was there, and its author's to delete.
    func delete(
        _ publicID: String,
        on listing: String,
        by account: Int64,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            DELETE FROM comments c USING listings l
            WHERE c.public_id = \(publicID) AND c.author_id = \(account)
                AND l.id = c.listing_id AND l.public_id = \(listing)
            """
        ) > 0
    }

    func exists(_ publicID: String, on listing: String, in database: some Querying) async throws -> Bool {
        try await database.optional(
            """
            SELECT true FROM comments c JOIN listings l ON l.id = c.listing_id
            WHERE c.public_id = \(publicID) AND l.public_id = \(listing)
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    /// Deletes whatever somebody has said, and what others have answered to it.
    func deleteAll(of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM comments WHERE author_id = \(account)")
    }
}
