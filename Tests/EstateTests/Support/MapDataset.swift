import Postgres
import TestKit
import Values

@testable import Estate

/// Many listings, inserted directly into the tables.
enum MapDataset {
    private static var database: PostgresClient { TestDatabase.current.client }

    /// Inserts listings around some centres of a town, always the same ones.
    ///
    /// - Returns: their displaced positions, in the order of their ids, `000…1` and so on.
    @discardableResult
    static func fill(_ count: Int, seed: UInt64 = 1, spread: Double = 0.01) async throws -> [Coordinate] {
        var random = SplitMix(state: seed)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let centres = (0..<20).map { _ in (number(37.50...37.60), number(126.95...127.05)) }
        let places = (0..<count).map { index in
            let (latitude, longitude) = centres[index % centres.count]
            // Denser towards the middle.
            let reach = number(0...1) * number(0...1) * spread
            return Coordinate(latitude: latitude, longitude: longitude)
                .moved(reach * 111_000, bearing: number(0...360)).rounded
        }
        try await insert(places)
        return places
    }

    static func insert(_ places: [Coordinate], category: String = "원룸") async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname) VALUES (9, 'anlaka', lpad('9', 24, 'a'), '중개사')
            ON CONFLICT DO NOTHING
            """
        )
        try await database.execute(
            """
            INSERT INTO listings (creator_id, public_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell, region_due_at)
            SELECT 9, lpad(to_hex(n + (SELECT count(*) FROM listings)), 24, '0'), \(category), 'a', '', '', '{}', 1,
                n * 1000, n, 1, '2020-01-01', 20, 0, 1, '{}', true, true, latitude, longitude, latitude, longitude, cell,
                NULL
            FROM unnest(\(places.map(\.latitude)), \(places.map(\.longitude)), \(places.map(MapTile.cell)))
                WITH ORDINALITY place (latitude, longitude, cell, n)
            """
        )
        try await database.execute("ANALYZE listings")
    }
}
