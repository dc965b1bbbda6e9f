import FoundationEssentials
import Postgres
import Values

/// SQL of the regions of listings.
struct RegionStore: Sendable {
    /// Takes the listing that is due first, and postpones its next attempt as after a failure, so that no other replica
    /// takes it.
    func takeDue(at now: Date, in database: some Querying) async throws -> DueRegion? {
        try await database.optional(
            """
            UPDATE listings SET region_tries = region_tries + 1, region_due_at = \(now)::timestamptz + make_interval(
                secs => least(\(RegionLabels.longestPause), \(RegionLabels.firstPause) * 2 ^ least(region_tries, 20)))
            WHERE id = (SELECT id FROM listings WHERE region_due_at <= \(now)
                ORDER BY region_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id, shown_latitude, shown_longitude
            """
        ) { row in
            let (id, latitude, longitude) = try row.decode(as: (ListingID, Double, Double).self)
            return DueRegion(listing: id, shown: Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    /// Stores a region, nil for none, unless the listing's public position has changed meanwhile.
    func settle(_ due: DueRegion, region: String?, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE listings SET region = \(region), region_due_at = NULL, region_tries = 0
            WHERE id = \(due.listing) AND region_due_at IS NOT NULL
                AND shown_latitude = \(due.shown.latitude) AND shown_longitude = \(due.shown.longitude)
            """
        )
    }
}
