import Geography
import Postgres

/// All SQL of the map's tiles. They are ranges of `listings.cell`, read from its index alone.
struct TileStore: Sendable {
    /// What is in each of some tiles, in their order.
    ///
    /// - Parameter limit: of listings in a tile; the rest is left out.
    func dots(
        _ tiles: [MapTile],
        _ filter: ListingFilter,
        limit: Int,
        in database: some Querying
    ) async throws -> [TileDots] {
        try await database.all(Self.dots(tiles, filter, limit: limit)) { row in
            let (latitudes, longitudes, ids) = try row.decode([Double].self, [Double].self, [UInt8].self)
            return TileDots(
                latitudes: latitudes,
                longitudes: longitudes,
                weights: Array(repeating: 1, count: latitudes.count),
                publicIDs: ids
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

    /// What stands at each spot of a tile, of 64 by 64.
    func spots(_ tile: MapTile, _ filter: ListingFilter, in database: some Querying) async throws -> TileDots {
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
        return TileDots(
            latitudes: rows.map { Coordinate(latitude: $0.0, longitude: $0.1).rounded.latitude },
            longitudes: rows.map { Coordinate(latitude: $0.0, longitude: $0.1).rounded.longitude },
            weights: rows.map(\.2),
            publicIDs: rows.flatMap(\.3)
        )
    }
}
