import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

extension LikeCounts {
    static let listings = LikeCounts(of: "listings", by: "listing_id")
}

/// SQL of likes. Changes require a lock on the listing's row (`ListingStore.hold`).
struct LikeStore: Sendable {
    func insert(_ listing: ListingID, by account: AccountID, at now: Date) -> Statement<Int> {
        .execute(
            """
            WITH new AS (
                INSERT INTO likes (listing_id, account_id, created_at) VALUES (\(listing), \(account), \(now))
                ON CONFLICT DO NOTHING RETURNING listing_id
            )
            INSERT INTO like_changes (listing_id, change) SELECT listing_id, 1 FROM new
            """
        )
    }

    func delete(_ listing: ListingID, by account: AccountID) -> Statement<Int> {
        .execute(
            """
            WITH gone AS (
                DELETE FROM likes WHERE listing_id = \(listing) AND account_id = \(account) RETURNING listing_id
            )
            INSERT INTO like_changes (listing_id, change) SELECT listing_id, -1 FROM gone
            """
        )
    }

    /// Deletes all likes of an account and updates the counts. Locks the listings in the order of their IDs.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH liked AS MATERIALIZED (
                SELECT id FROM listings WHERE id IN (SELECT listing_id FROM likes WHERE account_id = \(account))
                ORDER BY id FOR KEY SHARE
            ), gone AS (
                DELETE FROM likes k USING liked WHERE k.listing_id = liked.id AND k.account_id = \(account)
                RETURNING k.listing_id
            )
            INSERT INTO like_changes (listing_id, change) SELECT listing_id, -1 FROM gone
            """
        )
    }

    /// The public IDs of the liked listings of an account, latest like first, each with the cursor of the page after
    /// it.
    func likes(
        of account: AccountID,
        _ filter: ListingFilter,
        after cursor: PageCursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [(item: PublicID, cursor: PageCursor)] {
        try await database.all(Self.likes(of: account, filter, after: cursor, limit: limit)) { row in
            let (publicID, date, id) = try row.decode(as: (PublicID, Date, ListingID).self)
            return (publicID, PageCursor(date, id.rawValue))
        }
    }

    static func likes(of account: AccountID, _ filter: ListingFilter, after cursor: PageCursor?, limit: Int) -> SQL {
        let older: SQL = cursor.map { "(k.created_at, k.listing_id) < (\($0.instant), \($0.id))" } ?? "true"
        return """
            SELECT l.public_id, k.created_at, k.listing_id FROM likes k JOIN listings l ON l.id = k.listing_id
            WHERE k.account_id = \(account) AND \(older) AND \(MapStore.matches(filter))
            ORDER BY k.created_at DESC, k.listing_id DESC LIMIT \(limit)
            """
    }
}
