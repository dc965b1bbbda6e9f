import Contracts
import FoundationEssentials
import Postgres
import ServiceKit

/// SQL of liked events.
struct FavoriteEventStore: Sendable {
    /// - Returns: The inserted one, or the existing one with the same owner and product ID.
    func insert(
        productID: String,
        title: String?,
        content: String,
        event: PublicID,
        publicID: PublicID,
        by account: AccountID,
        _ transaction: PostgresTransaction
    ) async throws -> FavoriteEvent {
        try await transaction.one(
            """
            INSERT INTO favourites AS f (public_id, account_id, product_id, title, content, event_id)
            VALUES (\(publicID), \(account), \(productID), \(title), \(content), \(event))
            ON CONFLICT (account_id, product_id) DO UPDATE SET product_id = excluded.product_id
            RETURNING \(Self.columns)
            """
        ) { try $0.decode { try FavoriteEvent(&$0) } }
    }

    func delete(_ publicID: PublicID, by account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "DELETE FROM favourites WHERE public_id = \(publicID) AND account_id = \(account)"
        ) == 1
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM favourites WHERE account_id = \(account)")
    }

    func favourite(_ publicID: PublicID, of account: AccountID, in database: some Querying) async throws
        -> FavoriteEvent?
    {
        try await database.optional(
            """
            SELECT \(Self.columns) FROM favourites f WHERE f.public_id = \(publicID) AND f.account_id = \(account)
            """
        ) { try $0.decode { try FavoriteEvent(&$0) } }
    }

    func favourites(_ ids: [PostID], in database: some Querying) async throws -> [FavoriteEvent] {
        try await database.all("SELECT \(Self.columns) FROM favourites f WHERE f.id = ANY(\(ids))") {
            try $0.decode { try FavoriteEvent(&$0) }
        }
    }

    /// IDs and cursors, latest first.
    func found(
        _ productIDs: [String]?,
        of account: AccountID,
        after cursor: PageCursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [PostStore.Found] {
        try await database.all(Self.found(productIDs, of: account, after: cursor, limit: limit), PostStore.found)
    }

    static func found(_ productIDs: [String]?, of account: AccountID, after cursor: PageCursor?, limit: Int) -> SQL {
        """
        SELECT id, created_at FROM favourites t
        WHERE account_id = \(account) AND \(productIDs.map { "product_id = ANY(\($0))" as SQL } ?? "true")
            AND \(PostStore.older(than: cursor))
        ORDER BY created_at DESC, id DESC LIMIT \(limit)
        """
    }

    private static let columns: SQL = "f.id, f.public_id, f.product_id, f.title, f.content, f.event_id, f.created_at"
}

extension FavoriteEvent {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            publicID: try columns.next(),
            productID: try columns.next(),
            title: try columns.next(),
            content: try columns.next(),
            eventID: try columns.next(),
            createdAt: try columns.next()
        )
    }
}
