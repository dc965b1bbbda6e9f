import CivilTime
import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// All SQL of listings, but for the map's.
struct ListingStore: Sendable {
    /// Listings of these ids, in no order.
    func listings(
        _ publicIDs: [String],
        for account: Int64?,
        at now: Date,
        in database: some Querying
    ) async throws -> [Listing] {
        let summaries = try await database.all(
            """
            SELECT \(ListingSummary.columns(for: account)) FROM listings l
            WHERE l.public_id = ANY(\(publicIDs)) ORDER BY l.id
            """
        ) { ListingSummary(try $0.decode(as: ListingSummary.Columns.self)) }
        let byID = Dictionary(summaries.map { ($0.publicID, $0) }) { first, _ in first }
        return try await database.all(
            """
            SELECT l.id, l.public_id, l.reservation_price, l.description, l.maintenance_fee, l.parking_count, l.options,
                EXISTS (SELECT FROM likes k WHERE k.listing_id = l.id AND k.account_id = \(account ?? 0)),
                EXISTS (SELECT FROM reservations r WHERE r.listing_id = l.id
                    AND (r.held_until IS NULL OR r.held_until > \(now))),
                \(PersonStore.columns)
            FROM listings l JOIN people p ON p.account_id = l.creator_id
            WHERE l.public_id = ANY(\(publicIDs)) ORDER BY l.id
            """
        ) { row in
            let (
                id, publicID, price, text, fee, parking, options, isLiked, isReserved, account, personID, name, image,
                about
            ) =
                try row.decode(
                    as: (
                        Int64, String, Int64, String, Int64, Int, PostgresJSON<ListingOptions>, Bool, Bool,
                        Int64, String, String, String?, String?
                    ).self
                )
            return byID[publicID].map { summary in
                Listing(
                    id: id,
                    summary: summary,
                    reservationPrice: price,
                    description: text,
                    maintenanceFee: fee,
                    parkingCount: parking,
                    options: options.value,
                    creator: Person((account, personID, name, image, about)),
                    isLiked: isLiked,
                    isReserved: isReserved
                )
            }
        }.compactMap(\.self)
    }

    /// The pictures that somebody's listings name: paths.
    func thumbnails(of account: Int64, in transaction: PostgresTransaction) async throws -> [String] {
        try await transaction.all("SELECT DISTINCT unnest(thumbnails) FROM listings WHERE creator_id = \(account)") {
            try $0.decode(String.self)
        }
    }

    /// Takes away what somebody has to let, but for what others have paid to reserve.
    func deleteUnreserved(of account: Int64, in transaction: PostgresTransaction) async throws {
        // First, so that a payment which is being told of is waited for, and then seen.
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
    /// The columns of `Columns`, of a table or alias `l`.
    ///
    /// - Parameter account: who looks; nil for nobody in particular.
    static func columns(for account: Int64?) -> SQL {
        let account = account ?? 0
        return """
            l.public_id, l.category, l.title, l.introduction, l.thumbnails, l.deposit, l.monthly_rent, l.built_on,
            l.area, l.floors, l.is_safe, l.is_recommended, l.latitude, l.longitude, l.shown_latitude, l.shown_longitude,
            l.creator_id = \(account) OR EXISTS (SELECT FROM reservations r
                WHERE r.listing_id = l.id AND r.account_id = \(account) AND r.held_until IS NULL),
            l.region, l.like_count, l.created_at, l.updated_at
            """
    }

    typealias Columns = (
        String, String, String, String, [String], Int64, Int64, CivilDate, Double, Int, Bool, Bool,
        Double, Double, Double, Double, Bool, String?, Int, Date, Date
    )

    init(_ columns: Columns) {
        self.init(
            publicID: columns.0,
            category: columns.1,
            title: columns.2,
            introduction: columns.3,
            thumbnails: columns.4,
            deposit: columns.5,
            monthlyRent: columns.6,
            builtOn: columns.7,
            area: columns.8,
            floors: columns.9,
            isSafe: columns.10,
            isRecommended: columns.11,
            position: Position(
                exact: Coordinate(latitude: columns.12, longitude: columns.13),
                shown: Coordinate(latitude: columns.14, longitude: columns.15),
                isKnown: columns.16
            ),
            region: columns.17,
            likeCount: columns.18,
            createdAt: columns.19,
            updatedAt: columns.20
        )
    }
}
