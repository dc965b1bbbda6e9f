import Contracts
import Postgres
import ServiceDatabase
import ServiceKit
import Values

extension ListingStore {
    /// Inserts listings. Existing ones with the same creator and reference are not changed.
    ///
    /// - Returns: The public IDs of new and existing listings, in no particular order; empty when the creator has
    ///   withdrawn.
    func insert(_ drafts: [PlacedDraft], by account: AccountID, in database: some Querying) async throws -> [PublicID] {
        let listings = drafts.map(\.draft)
        return try await database.all(
            """
            INSERT INTO listings (creator_id, public_id, reference, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell, region, region_due_at)
            SELECT \(account), public_id, reference, category, title, introduction, description,
                ARRAY(SELECT jsonb_array_elements_text(thumbnails)), reservation_price, deposit, monthly_rent,
                maintenance_fee, built_on, area, parking_count, floors, options, is_safe, is_recommended, latitude,
                longitude, shown_latitude, shown_longitude, cell, region, CASE WHEN region IS NULL THEN now() END
            FROM unnest(
                \(drafts.map(\.publicID)), \(listings.map(\.reference)), \(listings.map(\.category)),
                \(listings.map(\.title)), \(listings.map(\.introduction)), \(listings.map(\.description)),
                \(listings.map { PostgresJSON($0.thumbnails) }), \(listings.map(\.reservationPrice)),
                \(listings.map(\.deposit)), \(listings.map(\.monthlyRent)), \(listings.map(\.maintenanceFee)),
                \(listings.map(\.builtOn)), \(listings.map(\.area)), \(listings.map(\.parkingCount)),
                \(listings.map(\.floors)), \(listings.map { PostgresJSON($0.options) }), \(listings.map(\.isSafe)),
                \(listings.map(\.isRecommended)), \(listings.map(\.place.latitude)), \(listings.map(\.place.longitude)),
                \(drafts.map(\.shown.latitude)), \(drafts.map(\.shown.longitude)), \(drafts.map(\.cell)),
                \(listings.map(\.region)))
                AS draft (public_id, reference, category, title, introduction, description, thumbnails,
                    reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors,
                    options, is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell, region)
            WHERE EXISTS (
                SELECT FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR SHARE
            )
            ON CONFLICT (creator_id, reference) DO UPDATE SET reference = excluded.reference
            RETURNING public_id
            """
        ) { try $0.decode(PublicID.self) }
    }
}
