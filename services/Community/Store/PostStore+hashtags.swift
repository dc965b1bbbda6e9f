import Postgres
import ServiceKit

/// SQL of Seoul Culture's hashtags.
extension PostStore {
    /// Stores the current hashtags of a post.
    func tag(_ id: PostID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM post_hashtags WHERE post_id = \(id)")
        try await transaction.execute(
            """
            INSERT INTO post_hashtags (post_id, tag, category, created_at)
            SELECT DISTINCT id, unnest(hashtags), category, created_at FROM posts WHERE id = \(id)
            """
        )
    }

    /// The posts with a hashtag, newest first.
    func tagged(
        _ tag: String,
        of categories: [String],
        after cursor: PageCursor?,
        limit: Int,
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(Self.tagged(tag, of: categories, after: cursor, limit: limit), Self.found)
    }

    static func tagged(_ tag: String, of categories: [String], after cursor: PageCursor?, limit: Int) -> SQL {
        let older: SQL = cursor.map { "(h.created_at, h.post_id) < (\($0.instant), \($0.id))" } ?? "true"
        guard !categories.isEmpty else {
            return """
                SELECT h.post_id, h.created_at FROM post_hashtags h JOIN posts t ON t.id = h.post_id
                WHERE h.tag = \(tag) AND t.hidden_at IS NULL AND \(older)
                ORDER BY h.created_at DESC, h.post_id DESC LIMIT \(limit)
                """
        }
        return """
            SELECT found.post_id, found.created_at FROM unnest(\(categories)) AS wanted (category) CROSS JOIN LATERAL (
                SELECT h.post_id, h.created_at FROM post_hashtags h JOIN posts t ON t.id = h.post_id
                WHERE h.tag = \(tag) AND h.category = wanted.category AND t.hidden_at IS NULL AND \(older)
                ORDER BY h.created_at DESC, h.post_id DESC LIMIT \(limit)
            ) found
            ORDER BY found.created_at DESC, found.post_id DESC LIMIT \(limit)
            """
    }
}
