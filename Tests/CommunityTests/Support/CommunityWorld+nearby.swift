import Apps
import Authentication
import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import TestKit
import Values

@testable import Community

extension CommunityWorld {
    /// The creation time of all posts of `settle`.
    static let instant = Date(timeIntervalSince1970: 1_763_600_000)

    /// A post's row.
    struct Settled: Sendable {
        var id: PostID
        var place: Coordinate
        var category: String
        var likes: Int
    }

    /// The use cases, without their routes.
    var domain: CommunityDomain {
        CommunityDomain(
            CommunityConfiguration(database: TestDatabase.current.configuration),
            database: database,
            outbox: Outbox(subscribers: []),
            people: people,
            auth: InternalClient(to: .auth, at: ["http://127.0.0.1:9"], keys: .development(.community))
        )
    }

    /// Posts near the usual place, by Anlaka's call.
    func nearby(_ query: String) async throws -> PostAnswer.List {
        try await posts("geolocation?longitude=\(Self.home.longitude)&latitude=\(Self.home.latitude)\(query)", by: 2)
    }

    /// Inserts posts of three categories, with up to four likes: two thirds in a city, others in its country, some
    /// anywhere.
    func settle(_ count: Int) async throws {
        try await database.execute("SELECT setseed(0.5)")
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, category, title, content, latitude, longitude, like_count,
                created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), 'anlaka', 1, (ARRAY['정보', '친목', '동물'])[1 + n % 3], 'a', 'a',
                CASE WHEN n % 10 < 6 THEN \(Self.home.latitude) + (random() - 0.5) * 0.2
                    WHEN n % 10 < 9 THEN 35 + random() * 4 ELSE random() * 180 - 90 END,
                CASE WHEN n % 10 < 6 THEN \(Self.home.longitude) + (random() - 0.5) * 0.2
                    WHEN n % 10 < 9 THEN 126 + random() * 3 ELSE random() * 360 - 180 END,
                n % 5, \(Self.instant)
            FROM generate_series(1, \(count)) n
            """
        )
        try await database.execute("ANALYZE posts")
    }

    /// Inserts posts of three categories within a kilometre or two, one per minute.
    func town(_ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, category, title, content, latitude, longitude, like_count,
                created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), 'anlaka', 1, (ARRAY['정보', '친목', '동물'])[1 + n % 3], 'a', 'a',
                37.645 + n % 100 * 0.0001, 127.04 + n % 99 * 0.0001, n % 5, \(Self.instant) + n * interval '1 minute'
            FROM generate_series(1, \(count)) n
            """
        )
        try await database.execute("VACUUM ANALYZE posts")
    }

    func settled() async throws -> [Settled] {
        try await database.all("SELECT id, latitude, longitude, category, like_count FROM posts") { row in
            let (id, latitude, longitude, category, likes) = try row.decode(
                as: (PostID, Double, Double, String, Int).self
            )
            return Settled(
                id: id,
                place: Coordinate(latitude: latitude, longitude: longitude),
                category: category,
                likes: likes
            )
        }
    }

    /// Inserts posts at one place.
    func crowd(_ count: Int, at place: Coordinate) async throws {
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, category, title, content, latitude, longitude)
            SELECT 'd' || lpad(to_hex(n), 23, '0'), 'anlaka', 1, '정보', 'a', 'a', \(place.latitude), \(place.longitude)
            FROM generate_series(1, \(count)) n
            """
        )
    }
}
