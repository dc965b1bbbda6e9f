import FoundationEssentials
package import Postgres
package import ServiceKit

extension CommentStore {
    /// Comments that are not replies, newest first.
    func comments(
        on id: SubjectID,
        after cursor: PageCursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [Comment] {
        try await database.all(comments(on: id, after: cursor, limit: limit)) { try $0.decode { try Comment(&$0) } }
    }

    package func comments(on id: SubjectID, after cursor: PageCursor?, limit: Int) -> SQL {
        let older: SQL = cursor.map { "(c.created_at, c.id) < (\($0.instant), \($0.id))" } ?? "true"
        return """
            SELECT \(Comment.columns) FROM comments c JOIN people p ON p.account_id = c.author_id
            WHERE \(subject.reference) = \(id) AND NOT c.is_reply AND \(older)
            ORDER BY c.created_at DESC, c.id DESC LIMIT \(limit)
            """
    }

    /// The oldest replies to each of these comments, oldest first, by the comment's id.
    func replies(to comments: [CommentID], limit: Int, in database: some Querying) async throws -> [CommentID:
        [Comment]]
    {
        guard !comments.isEmpty else { return [:] }
        let found = try await database.all(replies(to: comments, limit: limit)) {
            try $0.decode { try Comment(&$0) }
        }
        return Dictionary(grouping: found) { $0.parent ?? $0.id }
    }

    package func replies(to comments: [CommentID], limit: Int) -> SQL {
        """
        SELECT \(Comment.columns) FROM unnest(\(comments)) AS parent (id)
            CROSS JOIN LATERAL (
                SELECT * FROM comments WHERE parent_id = parent.id ORDER BY created_at, id LIMIT \(limit)
            ) c
            JOIN people p ON p.account_id = c.author_id
        ORDER BY c.created_at, c.id
        """
    }

    /// The newest replies to the comments on a subject, oldest first, by the comment's id.
    func newestReplies(on id: SubjectID, limit: Int, in database: some Querying) async throws -> [CommentID: [Comment]]
    {
        let found = try await database.all(newestReplies(on: id, limit: limit)) { try $0.decode { try Comment(&$0) } }
        return Dictionary(grouping: found.reversed()) { $0.parent ?? $0.id }
    }

    package func newestReplies(on id: SubjectID, limit: Int) -> SQL {
        """
        SELECT \(Comment.columns) FROM comments c JOIN people p ON p.account_id = c.author_id
        WHERE \(subject.reference) = \(id) AND c.is_reply
        ORDER BY c.created_at DESC, c.id DESC LIMIT \(limit)
        """
    }
}

extension Comment {
    /// The columns of a comment, from tables or aliases `c` and `p`.
    static let columns: SQL = "c.id, c.public_id, c.parent_id, c.content, c.created_at, \(PersonStore.columns)"

    /// Decodes `columns`.
    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            publicID: try columns.next(),
            parent: try columns.next(),
            content: try columns.next(),
            createdAt: try columns.next(),
            author: try Person(&columns)
        )
    }
}
