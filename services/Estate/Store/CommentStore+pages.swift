import FoundationEssentials
import Paging
import People
import Postgres

extension CommentStore {
    /// What answers nothing, the newest first.
    func comments(
        on listing: Int64,
        after cursor: PageCursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [Comment] {
        try await database.all(Self.comments(on: listing, after: cursor, limit: limit)) {
            try $0.decode { try Comment(&$0) }
        }
    }

    static func comments(on listing: Int64, after cursor: PageCursor?, limit: Int) -> SQL {
        let older: SQL = cursor.map { "(c.created_at, c.id) < (\($0.instant), \($0.id))" } ?? "true"
        return """
            SELECT \(columns) FROM comments c JOIN people p ON p.account_id = c.author_id
            WHERE c.listing_id = \(listing) AND NOT c.is_reply AND \(older)
            ORDER BY c.created_at DESC, c.id DESC LIMIT \(limit)
            """
    }

    /// The oldest answers to each of these comments, by the comment's id.
    func replies(to comments: [Int64], limit: Int, in database: some Querying) async throws -> [Int64: [Comment]] {
        guard !comments.isEmpty else { return [:] }
        let found = try await database.all(Self.replies(to: comments, limit: limit)) {
            try $0.decode { try Comment(&$0) }
        }
        return Dictionary(grouping: found) { $0.parent ?? 0 }
    }

    static func replies(to comments: [Int64], limit: Int) -> SQL {
        """
        SELECT \(columns) FROM unnest(\(comments)) AS parent (id)
            CROSS JOIN LATERAL (
                SELECT * FROM comments WHERE parent_id = parent.id ORDER BY created_at, id LIMIT \(limit)
            ) c
            JOIN people p ON p.account_id = c.author_id
        ORDER BY c.created_at, c.id
        """
    }
}

extension Comment {
    /// Reads `CommentStore.columns`.
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
