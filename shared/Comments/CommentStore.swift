import FoundationEssentials
import People
package import Postgres

/// All SQL of comments on one kind of subject.
package struct CommentStore: Sendable {
    let subject: CommentSubject

    package init(_ subject: CommentSubject) {
        self.subject = subject
    }

    /// What a `Comment` is read from, of tables or aliases `c` and `p`.
    static let columns: SQL = "c.id, c.public_id, c.parent_id, c.content, c.created_at, \(PersonStore.columns)"

    /// The id of what somebody may see.
    func subject(_ publicID: String, for account: Int64, in database: some Querying) async throws -> Int64? {
        try await database.optional("SELECT t.id FROM \(subject.table) WHERE \(subject.row(publicID, for: account))") {
            try $0.decode(Int64.self)
        }
    }

    /// The same. Until the transaction's end it is not deleted.
    func holdSubject(_ publicID: String, for account: Int64, in transaction: PostgresTransaction) async throws -> Int64?
    {
        try await transaction.optional(
            "SELECT t.id FROM \(subject.table) WHERE \(subject.row(publicID, for: account)) FOR KEY SHARE OF t"
        ) { try $0.decode(Int64.self) }
    }

    /// A comment that answers none, by what the app calls it. Until the transaction's end it is not deleted.
    func holdParent(_ publicID: String, on id: Int64, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            """
            SELECT c.id FROM comments c
            WHERE c.public_id = \(publicID) AND \(subject.reference) = \(id) AND NOT c.is_reply
            FOR KEY SHARE
            """
        ) { try $0.decode(Int64.self) }
    }

    /// - Returns: the comment, or the one that its author has made before under the same key; nil when that one is said of
    ///   something else, or answers something else.
    func insert(
        _ draft: CommentDraft,
        publicID: String,
        on id: Int64,
        answering parent: Int64?,
        by account: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Comment? {
        try await transaction.optional(
            """
            WITH made AS (
                INSERT INTO comments (public_id, \(subject.column), parent_id, author_id, content, request_key)
                VALUES (\(publicID), \(id), \(parent), \(account), \(draft.content), \(draft.requestKey))
                ON CONFLICT (author_id, request_key) DO UPDATE SET request_key = excluded.request_key
                RETURNING *
            )
            SELECT \(Self.columns) FROM made c JOIN people p ON p.account_id = c.author_id
            WHERE \(subject.reference) = \(id) AND c.parent_id IS NOT DISTINCT FROM \(parent)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// nil for what is not there, or is another's.
    func update(
        _ commentID: String,
        on publicID: String,
        to content: String,
        by account: Int64,
        in database: some Querying
    ) async throws -> Comment? {
        try await database.optional(
            """
            UPDATE comments c SET content = \(content) FROM \(subject.table), people p
            WHERE c.public_id = \(commentID) AND c.author_id = \(account) AND p.account_id = c.author_id
                AND t.id = \(subject.reference) AND \(subject.row(publicID, for: account))
            RETURNING \(Self.columns)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// - Returns: whether it was there, and its author's to delete.
    func delete(
        _ commentID: String,
        on publicID: String,
        by account: Int64,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            DELETE FROM comments c USING \(subject.table)
            WHERE c.public_id = \(commentID) AND c.author_id = \(account)
                AND t.id = \(subject.reference) AND \(subject.row(publicID, for: account))
            """
        ) > 0
    }

    func exists(
        _ commentID: String,
        on publicID: String,
        for account: Int64,
        in database: some Querying
    ) async throws -> Bool {
        try await database.optional(
            """
            SELECT true FROM comments c JOIN \(subject.table) ON t.id = \(subject.reference)
            WHERE c.public_id = \(commentID) AND \(subject.row(publicID, for: account))
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    /// Deletes whatever somebody has said, and what others have answered to it.
    package func deleteAll(of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM comments WHERE author_id = \(account)")
    }
}
