import Contracts
import FoundationEssentials
import Postgres

/// SQL of the home screen's selections. The columns of all statements are `ListingEntry.columns`.
enum FeaturedListingStore {
    /// The newest safe listings.
    static func safe(limit: Int, for account: AccountID) -> SQL {
        """
        SELECT \(ListingEntry.columns(for: account)) FROM listings l
        WHERE l.is_safe ORDER BY l.created_at DESC, l.id DESC LIMIT \(limit)
        """
    }

    /// Counts the most liked listings since a time, unless they were counted lately.
    ///
    /// - Parameters:
    ///   - instant: An earlier count is repeated.
    ///   - limit: Number of listings that are kept.
    static func countLikes(
        since start: Date,
        at now: Date,
        unlessCountedAfter instant: Date,
        limit: Int,
        in database: PostgresClient
    ) async throws {
        try await database.transaction { transaction in
            let isDue =
                try await transaction.execute(
                    "UPDATE hot_listings_count SET counted_at = \(now) WHERE counted_at <= \(instant)"
                ) > 0
            guard isDue else { return }
            try await transaction.execute("DELETE FROM hot_listings")
            try await transaction.execute(
                """
                INSERT INTO hot_listings (listing_id, likes)
                SELECT listing_id, count(*) AS likes FROM likes WHERE created_at > \(start)
                GROUP BY listing_id ORDER BY likes DESC, listing_id DESC LIMIT \(limit)
                """
            )
        }
    }

    /// The most liked listings, with equal counts the newest first, filled up with the newest others.
    static func liked(limit: Int, for account: AccountID) -> SQL {
        """
        WITH liked AS MATERIALIZED (
            SELECT listing_id AS id, likes AS count FROM hot_listings ORDER BY likes DESC LIMIT \(5 * limit)
        ), newest AS MATERIALIZED (
            SELECT id FROM listings ORDER BY created_at DESC, id DESC LIMIT \(2 * limit)
        )
        SELECT \(ListingEntry.columns(for: account))
        FROM (SELECT id, count FROM liked UNION ALL SELECT id, 0 FROM newest WHERE id NOT IN (SELECT id FROM liked)) pick
            JOIN listings l ON l.id = pick.id
        ORDER BY pick.count DESC, l.created_at DESC, l.id DESC LIMIT \(limit)
        """
    }

    /// The newest listings with the categories and price bands of an account's latest likes.
    static func similar(toLatest likes: Int, of account: AccountID, limit: Int) -> SQL {
        """
        WITH latest AS MATERIALIZED (
            SELECT l.category, l.price_band FROM likes k JOIN listings l ON l.id = k.listing_id
            WHERE k.account_id = \(account) ORDER BY k.created_at DESC, k.listing_id DESC LIMIT \(likes)
        )
        SELECT \(ListingEntry.columns(for: account))
        FROM (SELECT DISTINCT category, price_band FROM latest) taste
            CROSS JOIN LATERAL (
                SELECT l.id FROM listings l
                WHERE l.category = taste.category AND l.price_band = taste.price_band AND \(isNew(to: account))
                ORDER BY l.created_at DESC, l.id DESC LIMIT \(limit)
            ) pick JOIN listings l ON l.id = pick.id
        ORDER BY l.created_at DESC, l.id DESC LIMIT \(limit)
        """
    }

    /// The newest listings without the account's own listings and likes.
    static func newest(limit: Int, for account: AccountID) -> SQL {
        """
        SELECT \(ListingEntry.columns(for: account)) FROM listings l
        WHERE \(isNew(to: account)) ORDER BY l.created_at DESC, l.id DESC LIMIT \(limit)
        """
    }

    private static func isNew(to account: AccountID) -> SQL {
        """
        l.creator_id <> \(account)
            AND NOT EXISTS (SELECT FROM likes k WHERE k.listing_id = l.id AND k.account_id = \(account))
        """
    }
}
