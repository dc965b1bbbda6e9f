package import Contracts
import FoundationEssentials
package import Postgres
package import ServiceDatabase

/// The SQL statements of comments on one kind of subject.
package struct CommentStore<SubjectID: RowIdentifier>: Sendable {
    let subject: CommentSubject<SubjectID>

    package init(_ subject: CommentSubject<SubjectID>) {
        self.subject = subject
    }

    /// The id of a subject that is visible to the account.
    func subject(_ publicID: PublicID, for account: AccountID, in database: some Querying) async throws -> SubjectID? {
        try await database.optional("SELECT t.id FROM \(subject.table) WHERE \(subject.row(publicID, for: account))") {
            try $0.decode(SubjectID.self)
        }
    }

    /// Like `subject`, but prevents its deletion until the transaction ends.
    func holdSubject(_ publicID: PublicID, for account: AccountID, in transaction: PostgresTransaction) async throws
        -> SubjectID?
    {
        try await transaction.optional(
            "SELECT t.id FROM \(subject.table) WHERE \(subject.row(publicID, for: account)) FOR KEY SHARE OF t"
        ) { try $0.decode(SubjectID.self) }
    }

    /// The id of a comment that is not a reply, by its public id. Its deletion is prevented until the transaction ends.
    func holdParent(_ publicID: PublicID, on id: SubjectID, in transaction: PostgresTransaction) async throws
        -> CommentID?
    {
        try await transaction.optional(
            """
            SELECT c.id FROM comments c
            WHERE c.public_id = \(publicID) AND \(subject.reference) = \(id) AND NOT c.is_reply
            FOR KEY SHARE
            """
        ) { try $0.decode(CommentID.self) }
    }

    /// - Returns: The new comment, or the author's existing one with the same key; nil if the existing one has another
    ///   subject or parent.
    func insert(
        _ draft: CommentDraft,
        publicID: PublicID,
        on id: SubjectID,
        answering parent: CommentID?,
        by account: AccountID,
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
            SELECT \(Comment.columns) FROM made c JOIN people p ON p.account_id = c.author_id
            WHERE \(subject.reference) = \(id) AND c.parent_id IS NOT DISTINCT FROM \(parent)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// nil if the comment does not exist or belongs to another user.
    func update(
        _ commentID: PublicID,
        on publicID: PublicID,
        to content: String,
        by account: AccountID,
        in database: some Querying
    ) async throws -> Comment? {
        try await database.optional(
            """
            UPDATE comments c SET content = \(content) FROM \(subject.table), people p
            WHERE c.public_id = \(commentID) AND c.author_id = \(account) AND p.account_id = c.author_id
                AND t.id = \(subject.reference) AND \(subject.row(publicID, for: account))
            RETURNING \(Comment.columns)
            """
        ) { try $0.decode { try Comment(&$0) } }
    }

    /// - Returns: Whether the comment existed and belonged to the account.
    func delete(
        _ commentID: PublicID,
        on publicID: PublicID,
        by account: AccountID,
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
        _ commentID: PublicID,
        on publicID: PublicID,
        for account: AccountID,
        in database: some Querying
    ) async throws -> Bool {
        try await database.optional(
            """
            SELECT true FROM comments c JOIN \(subject.table) ON t.id = \(subject.reference)
            WHERE c.public_id = \(commentID) AND \(subject.row(publicID, for: account))
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    /// Deletes all comments of an account, with their replies.
    package func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM comments WHERE author_id = \(account)")
    }
}
