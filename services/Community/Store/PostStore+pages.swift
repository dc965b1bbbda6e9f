import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// SQL of pages of posts: IDs and cursors only, each from one index. `posts(_:for:in:)` reads the content.
extension PostStore {
    typealias Found = (item: PostID, cursor: PageCursor)

    /// The posts of an app, or of some categories, newest first.
    func newest(
        in app: App,
        of categories: [String],
        after cursor: PageCursor?,
        limit: Int,
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(Self.newest(in: app, of: categories, after: cursor, limit: limit), Self.found)
    }

    static func newest(in app: App, of categories: [String], after cursor: PageCursor?, limit: Int) -> SQL {
        guard !categories.isEmpty else {
            return """
                SELECT id, created_at FROM posts t WHERE app = \(app) AND hidden_at IS NULL AND \(older(than: cursor))
                ORDER BY created_at DESC, id DESC LIMIT \(limit)
                """
        }
        return """
            SELECT t.id, t.created_at FROM unnest(\(categories)) AS wanted (category) CROSS JOIN LATERAL (
                SELECT id, created_at FROM posts t
                WHERE app = \(app) AND t.category = wanted.category AND hidden_at IS NULL AND \(older(than: cursor))
                ORDER BY created_at DESC, id DESC LIMIT \(limit)
            ) t
            ORDER BY t.created_at DESC, t.id DESC LIMIT \(limit)
            """
    }

    /// The posts of an author, newest first.
    ///
    /// - Parameter account: The viewer.
    func written(
        by author: AccountID,
        of categories: [String],
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int,
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(
            """
            SELECT id, created_at FROM posts t
            WHERE author_id = \(author) AND (hidden_at IS NULL OR author_id = \(account))
                AND \(Self.isAny(of: categories)) AND \(Self.older(than: cursor))
            ORDER BY created_at DESC, id DESC LIMIT \(limit)
            """,
            Self.found
        )
    }

    /// The liked posts of an account, latest like first.
    func liked(
        by account: AccountID,
        kind: Int16,
        of categories: [String],
        after cursor: PageCursor?,
        limit: Int,
        _ database: some Querying
    ) async throws -> [Found] {
        try await database.all(
            """
            SELECT t.id, k.created_at FROM likes k JOIN posts t ON t.id = k.post_id
            WHERE k.account_id = \(account) AND k.kind = \(kind) AND \(Self.isAny(of: categories))
                AND \(cursor.map { "(k.created_at, k.post_id) < (\($0.instant), \($0.id))" } ?? "true" as SQL)
            ORDER BY k.created_at DESC, k.post_id DESC LIMIT \(limit)
            """,
            Self.found
        )
    }

    /// The condition of posts `t` after a cursor.
    static func older(than cursor: PageCursor?) -> SQL {
        cursor.map { "(t.created_at, t.id) < (\($0.instant), \($0.id))" } ?? "true"
    }

    static func isAny(of categories: [String]) -> SQL {
        categories.isEmpty ? "true" : "t.category = ANY(\(categories))"
    }

    static func found(_ row: borrowing Row) throws -> Found {
        let (id, instant) = try row.decode(as: (PostID, Date).self)
        return (id, PageCursor(instant, id.rawValue))
    }
}
