import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase
import Values

/// SQL of listings, without the map.
struct ListingStore: Sendable {
    /// The listings with these public IDs, in no particular order.
    func listings(
        _ publicIDs: [PublicID],
        for account: AccountID?,
        at now: Date,
        in database: some Querying
    ) async throws -> [Listing] {
        try await database.all(
            """
            SELECT l.id, \(ListingSummary.columns(for: account)),
                l.reservation_price, l.description, l.maintenance_fee, l.parking_count, l.options,
                \(PersonStore.columns),
                EXISTS (SELECT FROM likes k WHERE k.listing_id = l.id AND k.account_id = \(account ?? AccountID(rawValue: 0))),
                EXISTS (SELECT FROM reservations r WHERE r.listing_id = l.id
                    AND (r.held_until IS NULL OR r.held_until > \(now)))
            FROM listings l JOIN people p ON p.account_id = l.creator_id
            WHERE l.public_id = ANY(\(publicIDs)) ORDER BY l.id
            """
        ) { try $0.decode { try Listing(&$0) } }
    }

    /// The thumbnail paths of an account's listings.
    func thumbnails(of account: AccountID, in transaction: PostgresTransaction) async throws -> [String] {
        try await transaction.all("SELECT DISTINCT unnest(thumbnails) FROM listings WHERE creator_id = \(account)") {
            try $0.decode(String.self)
        }
    }

    /// Deletes an account's listings, except those that another user has paid to reserve.
    func deleteUnreserved(of account: AccountID, in transaction: PostgresTransaction) async throws {
        // Locks first, to wait for a payment that is being recorded, and then see it.
        try await transaction.execute(
            "SELECT FROM listings WHERE creator_id = \(account) ORDER BY id FOR UPDATE"
        )
        try await transaction.execute(
            """
            DELETE FROM listings l WHERE l.creator_id = \(account)
                AND NOT EXISTS (SELECT FROM reservations r WHERE r.listing_id = l.id AND r.held_until IS NULL)
            """
        )
    }
}

extension ListingSummary {
    /// The columns of a summary, for a table or alias `l`.
    ///
    /// - Parameter account: The viewer; nil for the public view.
    static func columns(for account: AccountID?) -> SQL {
        let account = account ?? AccountID(rawValue: 0)
        return """
            l.public_id, l.category, l.title, l.introduction, l.thumbnails, l.deposit, l.monthly_rent, l.built_on,
            l.area, l.floors, l.is_safe, l.is_recommended, l.latitude, l.longitude, l.shown_latitude, l.shown_longitude,
            \(Position.isKnown(to: account)), l.region, \(LikeCounts.listings.count(of: "l")), l.created_at, l.updated_at
            """
    }

    /// Reads `columns(for:)`.
    init(_ columns: inout Columns) throws {
        self.init(
            publicID: try columns.next(),
            category: try columns.next(),
            title: try columns.next(),
            introduction: try columns.next(),
            thumbnails: try columns.next(),
            deposit: try columns.next(),
            monthlyRent: try columns.next(),
            builtOn: try columns.next(),
            area: try columns.next(),
            floors: try columns.next(),
            isSafe: try columns.next(),
            isRecommended: try columns.next(),
            position: try Position(&columns),
            region: try columns.next(),
            likeCount: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next()
        )
    }
}

extension Listing {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            summary: try ListingSummary(&columns),
            reservationPrice: try columns.next(),
            description: try columns.next(),
            maintenanceFee: try columns.next(),
            parkingCount: try columns.next(),
            options: try columns.next(PostgresJSON<ListingOptions>.self).value,
            creator: try Person(&columns),
            isLiked: try columns.next(),
            isReserved: try columns.next()
        )
    }
}
