import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// SQL of the gallery.
struct GalleryStore: Sendable {
    private static let columns: SQL =
        "t.id, t.author_id, t.category, t.title, t.content, t.picture, t.created_at"

    /// - Returns: false when one with the same author and key exists.
    func insert(
        _ draft: GalleryDraft,
        picture: String,
        by account: AccountID,
        _ transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.optional(
            """
            INSERT INTO gallery_items (author_id, request_key, category, title, content, picture)
            VALUES (\(account), \(draft.requestKey), \(draft.category.rawValue), \(draft.title), \(draft.content),
                \(picture))
            ON CONFLICT (author_id, request_key) DO NOTHING RETURNING id
            """
        ) { try $0.decode(GalleryItemID.self) } != nil
    }

    /// The author and file of a picture, which is locked until the transaction ends.
    func lock(_ id: GalleryItemID, _ transaction: PostgresTransaction) async throws -> (
        author: AccountID, picture: String
    )? {
        try await transaction.optional("SELECT author_id, picture FROM gallery_items WHERE id = \(id) FOR UPDATE") {
            try $0.decode(as: (AccountID, String).self)
        }
    }

    func delete(_ id: GalleryItemID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM gallery_items WHERE id = \(id)")
    }

    /// - Returns: The IDs of the deleted pictures.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws -> [GalleryItemID] {
        try await transaction.all("DELETE FROM gallery_items WHERE author_id = \(account) RETURNING id") {
            try $0.decode(GalleryItemID.self)
        }
    }

    /// A visible picture and its author.
    func item(_ id: GalleryItemID, for account: AccountID, in database: some Querying) async throws -> (
        GalleryItem, Person
    )? {
        try await database.optional(
            """
            SELECT \(Self.columns), \(PersonStore.columns)
            FROM gallery_items t JOIN people p ON p.account_id = t.author_id
            WHERE t.id = \(id) AND \(Self.isVisible(to: account))
            """
        ) { try $0.decode { (try GalleryItem(&$0), try Person(&$0)) } }
    }

    /// The visible pictures of a category, or of all, newest first.
    func newest(
        of category: GalleryCategory?,
        for account: AccountID,
        before cursor: GalleryItemID?,
        limit: Int,
        _ database: some Querying
    ) async throws -> [GalleryItem] {
        try await database.all(Self.newest(of: category, for: account, before: cursor, limit: limit)) {
            try $0.decode { try GalleryItem(&$0) }
        }
    }

    static func newest(of category: GalleryCategory?, for account: AccountID, before cursor: GalleryItemID?, limit: Int)
        -> SQL
    {
        let kind: SQL = category.map { "t.category = \($0.rawValue)" } ?? "true"
        let older: SQL = cursor.map { "t.id < \($0)" } ?? "true"
        return """
            SELECT \(columns) FROM gallery_items t WHERE \(kind) AND \(older) AND \(isVisible(to: account))
            ORDER BY t.id DESC LIMIT \(limit)
            """
    }

    private static func isVisible(to account: AccountID) -> SQL {
        ReportStore.isVisible(.galleryItem, to: account)
    }

    func items(by account: AccountID, limit: Int, _ database: some Querying) async throws -> [GalleryItem] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM gallery_items t WHERE t.author_id = \(account)
            ORDER BY t.id DESC LIMIT \(limit)
            """
        ) { try $0.decode { try GalleryItem(&$0) } }
    }
}

extension GalleryCategory: PostgresCodable {}

extension GalleryItem {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            author: try columns.next(),
            category: try columns.next(),
            title: try columns.next(),
            content: try columns.next(),
            picture: try columns.next(),
            createdAt: try columns.next()
        )
    }
}
