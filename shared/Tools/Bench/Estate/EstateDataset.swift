import Postgres
import PostgresServer

/// A million listings in Seoul, and map screens that show them.
struct EstateDataset: Sendable {
    static let listings = 1_000_000
    private static let neighbourhoods = 400
    /// The size of a screen with 10,000 listings, in degrees.
    private static let height = 0.026
    private static let width = 0.038
    private static let south = 37.42...37.66
    private static let west = 126.80...127.14

    enum Call: CaseIterable {
        case clusters, newClusters, filteredClusters, densityClusters, radius

        var title: String {
            switch self {
            case .clusters: "clusters of a screen of 10,000"
            case .newClusters: "the same, not requested before"
            case .filteredClusters: "the same of one category, by rent"
            case .densityClusters: "the same by HDBSCAN"
            case .radius: "listings within 500 m"
            }
        }

        /// Requests per second.
        var rate: Int { self == .radius ? 40 : 20 }
        /// Milliseconds; nil without a goal.
        var reach: Double? {
            switch self {
            case .clusters, .filteredClusters: 30
            case .radius: 12
            case .newClusters: 20
            case .densityClusters: nil
            }
        }
    }

    /// The path of a request, with a different screen for each number.
    func path(_ call: Call, _ number: Int) -> String {
        // Fractions that fill the square evenly (R2 sequence).
        let south = Self.south.lowerBound + Self.share(number, 0.754_877_666) * (Self.south.span - Self.height)
        let west = Self.west.lowerBound + Self.share(number, 0.569_840_291) * (Self.west.span - Self.width)
        let box = "zoom=14&bbox=\(west),\(south),\(west + Self.width),\(south + Self.height)"
        return switch call {
        case .clusters: "/v1/estates/clusters?\(box)"
        // A filter unique to this request that matches every listing.
        case .newClusters: "/v1/estates/clusters?\(box)&deposit_min=\(number)"
        case .filteredClusters:
            "/v1/estates/clusters?\(box)&category=%EC%9B%90%EB%A3%B8&rent_min=300000&rent_max=900000&deposit_min=\(number)"
        case .densityClusters: "/v1/estates/clusters?\(box)&method=density&deposit_min=\(number)"
        case .radius: "/v1/estates/geolocation?longitude=\(west)&latitude=\(south)&maxDistance=500"
        }
    }

    private static func share(_ number: Int, _ step: Double) -> Double {
        (Double(number + 1) * step).truncatingRemainder(dividingBy: 1)
    }

    /// Adds listings.
    ///
    /// - Parameter numbers: Of the listings; different ones in each call.
    func build(_ server: PostgresServer, _ numbers: ClosedRange<Int> = 1...listings) async throws {
        try await server.withClient(of: "madang") { database in
            for script in Self.scripts(numbers) { try await database.execute(script) }
        }
    }

    private static func scripts(_ numbers: ClosedRange<Int>) -> [SQL] {
        [
            """
            INSERT INTO estate.people (account_id, app, public_id, nickname) VALUES (0, 'anlaka', repeat('0', 24), '중개사')
            ON CONFLICT DO NOTHING
            """,
            // Interleaves the bits of a number with zeros.
            """
            CREATE OR REPLACE FUNCTION estate.spread(n bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
            BEGIN
                n := (n | (n << 16)) & 281470681808895;
                n := (n | (n << 8)) & 71777214294589695;
                n := (n | (n << 4)) & 1085102592571150095;
                n := (n | (n << 2)) & 3689348814741910323;
                RETURN (n | (n << 1)) & 6148914691236517205;
            END $$
            """,
            """
            INSERT INTO estate.listings (creator_id, public_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell, region, region_due_at)
            SELECT 0, lpad(to_hex((n * 7919) % 16777213), 24, '0'), (ARRAY['원룸', '오피스텔', '아파트', '빌라', '상가'])[1 + n % 5],
                '햇살이 드는 집 ' || n, '역에서 걸어서 ' || n % 15 || '분', '남향이고 조용한 골목에 있습니다.',
                ARRAY['/data/estates/' || md5(n::text) || '.jpg'], 100000, 5000000 + n % 100 * 1000000,
                300000 + n % 150 * 10000, 50000, '2015-01-01', 15 + n % 70, n % 2, 1 + n % 12, '{}', n % 3 = 0, n % 7 = 0,
                latitude, longitude, latitude, longitude,
                estate.spread(floor((longitude + 180) / 360 * 4194304)::bigint)
                    | (estate.spread(floor((0.5 - ln(tan(pi() / 4 + radians(latitude) / 2)) / (2 * pi())) * 4194304)::bigint) << 1),
                '상계동', NULL
            FROM (
                SELECT n, round((home.latitude + reach * cos(direction))::numeric, 6)::float8 AS latitude,
                    round((home.longitude + reach * 1.26 * sin(direction))::numeric, 6)::float8 AS longitude
                FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
                CROSS JOIN LATERAL (
                    SELECT 37.42 + n % \(neighbourhoods) * 0.754877666 % 1 * 0.24 AS latitude,
                        126.80 + n % \(neighbourhoods) * 0.569840291 % 1 * 0.34 AS longitude
                ) home
                CROSS JOIN LATERAL (
                    SELECT random() * 0.012 + n * 0 AS reach, random() * 2 * pi() + n * 0 AS direction
                ) shift
            ) places
            """,
            "VACUUM ANALYZE estate.listings",
            // Or the new rows would be written to the disk for a minute while something else is measured.
            "CHECKPOINT",
        ]
    }
}

extension ClosedRange<Double> {
    fileprivate var span: Double { upperBound - lowerBound }
}
