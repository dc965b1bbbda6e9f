import FoundationEssentials
import Postgres

/// SQL of the search in titles.
extension PostStore {
    /// Number of newest posts that are scanned.
    static let lookThroughLimit = 20_000

    /// The first of the newest posts whose titles contain a text, newest first.
    func newest(having key: TitleKey, limit: Int, _ database: some Querying) async throws -> [PostID] {
        try await database.all(Self.newest(having: key, limit: limit)) { try $0.decode(PostID.self) }
    }

    static func newest(having key: TitleKey, limit: Int) -> SQL {
        """
        SELECT t.id FROM (
            SELECT id, created_at, title_key FROM posts WHERE hidden_at IS NULL AND title_key IS NOT NULL
            ORDER BY created_at DESC, id DESC LIMIT \(Self.lookThroughLimit)
        ) t
        WHERE position(\(key.text) IN t.title_key) > 0
        ORDER BY t.created_at DESC, t.id DESC LIMIT \(limit)
        """
    }

    /// The first of all posts whose titles contain a text, newest first.
    func all(having key: TitleKey, limit: Int, _ database: some Querying) async throws -> [PostID] {
        try await database.all(Self.all(having: key, limit: limit)) { try $0.decode(PostID.self) }
    }

    static func all(having key: TitleKey, limit: Int) -> SQL {
        """
        WITH found AS MATERIALIZED (
            SELECT id, created_at FROM posts
            WHERE hidden_at IS NULL AND title_key IS NOT NULL AND text_grams(title_key) @> \(key.grams)
                AND position(\(key.text) IN title_key) > 0
        )
        SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT \(limit)
        """
    }
}
