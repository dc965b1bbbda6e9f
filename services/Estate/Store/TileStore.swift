import Postgres
import Values

/// SQL of the map's tiles. A tile is a range of `listings.cell`, read by index-only scans.
struct TileStore: Sendable {
    /// The points of tiles, in their order.
    ///
    /// - Parameter limit: Maximum number of listings per tile.
    func dots(
        _ tiles: [MapTile],
        _ filter: ListingFilter,
        limit: Int,
        in database: some Querying
    ) async throws -> [TilePoints] {
        try await database.all(Self.dots(tiles, filter, limit: limit)) { row in
            let (latitudes, longitudes, ids) = try row.decode([Double].self, [Double].self, [UInt8].self)
            return TilePoints(
                latitudes: latitudes,
                longitudes: longitudes,
                weights: Array(repeating: 1, count: latitudes.count),
                publicIDs: PackedIDs(ids)
            )
        }
    }

    static func dots(_ tiles: [MapTile], _ filter: ListingFilter, limit: Int) -> SQL {
        let ranges = tiles.map(\.cells)
        return """
            SELECT dots.* FROM unnest(\(ranges.map(\.lowerBound)), \(ranges.map(\.upperBound)))
                WITH ORDINALITY tile (first, past, number)
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(d.shown_latitude), '{}'), coalesce(array_agg(d.shown_longitude), '{}'),
                    coalesce(string_agg(decode(d.public_id, 'hex'), ''), '')
                FROM (
                    SELECT l.shown_latitude, l.shown_longitude, l.public_id FROM listings l
                    WHERE l.cell >= tile.first AND l.cell < tile.past AND \(MapStore.matches(filter))
                    ORDER BY l.cell LIMIT \(limit)
                ) d
            ) dots
            ORDER BY tile.number
            """
    }

    /// The listings of a tile, aggregated by 64 × 64 spots.
    func spots(_ tile: MapTile, _ filter: ListingFilter, in database: some Querying) async throws -> TilePoints {
        let shift = Int32(max(0, 2 * (MapTile.deepest - tile.level - 6)))
        let rows = try await database.all(
            """
            SELECT avg(shown_latitude), avg(shown_longitude), count(*), decode(min(public_id), 'hex')
            FROM (
                SELECT l.cell >> \(shift) AS spot, l.shown_latitude, l.shown_longitude, l.public_id FROM listings l
                WHERE l.cell >= \(tile.cells.lowerBound) AND l.cell < \(tile.cells.upperBound)
                    AND \(MapStore.matches(filter))
            ) dots
            GROUP BY spot ORDER BY spot
            """
        ) { try $0.decode(Double.self, Double.self, Int.self, [UInt8].self) }
        return TilePoints(
            latitudes: rows.map { Coordinate(latitude: $0.0, longitude: $0.1).rounded.latitude },
            longitudes: rows.map { Coordinate(latitude: $0.0, longitude: $0.1).rounded.longitude },
            weights: rows.map(\.2),
            publicIDs: PackedIDs(rows.flatMap(\.3))
        )
    }
}
