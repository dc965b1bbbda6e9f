import Contracts
import Glibc
import Postgres
import Values

extension MapStore {
    /// The nearest listings around a position, in no particular order, and some beyond the radius.
    ///
    /// - Parameter radius: Metres.
    func nearest(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        limit: Int,
        for account: AccountID,
        in database: some Querying
    ) async throws -> [ListingEntry] {
        try await ListingStore().entries(
            Self.nearest(centre, radius: radius, filter, limit: limit, for: account),
            in: database
        )
    }

    static func nearest(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        limit: Int,
        for account: AccountID
    ) -> SQL {
        guard radius <= nearby, abs(centre.latitude) < 80, abs(centre.longitude) < 179 else {
            return nearestBySpot(centre, radius: radius, filter, limit: limit, for: account)
        }
        return nearestByCells(centre, radius: radius, filter, limit: limit, for: account)
    }

    /// The longest radius, in metres, within which all listings are read to find the nearest.
    private static let nearby = 1000.0

    /// By the spatial index, which finds the nearest first, and reads the table for each.
    private static func nearestBySpot(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        limit: Int,
        for account: AccountID
    ) -> SQL {
        let point: SQL = "ST_SetSRID(ST_MakePoint(\(centre.longitude), \(centre.latitude)), 4326)::geography"
        // Slightly extended, since PostGIS uses another radius of the Earth.
        return """
            SELECT \(ListingEntry.columns(for: account)) FROM listings l
            WHERE ST_DWithin(l.spot, \(point), \(radius * 1.000_01 + 0.01), false) AND \(matches(filter))
            ORDER BY l.spot <-> \(point) LIMIT \(limit)
            """
    }

    /// By the tiles around the position, from an index that has all columns of a list. Distances are planar: within a
    /// kilometre they are a ten-thousandth off.
    private static func nearestByCells(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        limit: Int,
        for account: AccountID
    ) -> SQL {
        let reach = radius * 1.01 + 1
        let ranges = MapTile.cells(of: MapTile.covering(MapBox(around: centre, reach: reach), side: reach / 4))
        let shrinking = cos(centre.latitude * .pi / 180)
        let degrees = reach / MapBox.metresPerDegree
        let columns: SQL = """
            l.id, l.public_id, l.creator_id, l.latitude, l.longitude, l.shown_latitude, l.shown_longitude, l.like_count
            """
        let condition: SQL = "l.cell >= tile.first AND l.cell < tile.past AND \(matches(filter))"
        // OFFSET 0 keeps the planner from reading the whole table once for all tiles.
        return """
            SELECT \(ListingEntry.columns(for: account, text: "l.text")) FROM (
                SELECT found.* FROM unnest(\(ranges.map(\.lowerBound)), \(ranges.map(\.upperBound))) tile (first, past)
                CROSS JOIN LATERAL (
                    SELECT \(columns), l.entry AS text FROM listings l
                    WHERE \(condition) AND octet_length(l.entry) <= 2000
                    UNION ALL
                    SELECT \(columns), coalesce(l.entry, listing_entry(l)) FROM listings l
                    WHERE \(condition) AND (octet_length(l.entry) <= 2000) IS NOT TRUE
                    OFFSET 0
                ) found
                CROSS JOIN LATERAL (
                    SELECT (found.shown_longitude - \(centre.longitude)) * \(shrinking) AS x,
                        found.shown_latitude - \(centre.latitude) AS y
                ) shift
                WHERE x * x + y * y <= \(degrees * degrees)
                ORDER BY x * x + y * y LIMIT \(limit)
            ) l
            """
    }
}
