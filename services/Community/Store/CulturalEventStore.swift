import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit
import Values

/// SQL of searches for events. There are only some thousands: one index has them in list order, and a filter is applied
/// while scanning.
struct CulturalEventStore: Sendable {
    func count(_ filter: EventFilter, in database: some Querying) async throws -> Int {
        try await database.one("SELECT count(*) FROM cultural_events e WHERE \(Self.matches(filter))") {
            try $0.decode(Int.self)
        }
    }

    /// Latest start first.
    func events(
        _ filter: EventFilter,
        in range: Range<Int>,
        _ database: some Querying
    ) async throws -> [CulturalEvent] {
        try await database.all(
            """
            SELECT e.fields FROM cultural_events e WHERE \(Self.matches(filter))
            ORDER BY e.starts_on DESC, e.id DESC LIMIT \(range.count) OFFSET \(range.lowerBound)
            """
        ) { CulturalEvent(try $0.decode(PostgresJSON<[String: String]>.self).value) }
    }

    /// The same, each with the cursor of the page after it.
    func search(
        _ filter: EventFilter,
        for person: Person,
        after cursor: PageCursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [(item: ListedEvent, cursor: PageCursor)] {
        try await database.all(Self.search(filter, for: person, after: cursor, limit: limit)) { row in
            let (fields, isFavourite, day, id) = try row.decode(
                as: (PostgresJSON<[String: String]>, Bool, CivilDate, Int64).self
            )
            let event = ListedEvent(CulturalEvent(fields.value), isFavourite: isFavourite, near: filter.near)
            return (event, PageCursor(SeoulTime.instant(day), id))
        }
    }

    static func search(_ filter: EventFilter, for person: Person, after cursor: PageCursor?, limit: Int) -> SQL {
        let older: SQL =
            cursor.map { "(e.starts_on, e.id) < (\(SeoulTime.date(of: $0.instant)), \($0.id))" } ?? "true"
        return """
            SELECT e.fields, \(isFavourite(of: person)), e.starts_on, e.id FROM cultural_events e
            WHERE \(matches(filter)) AND \(older)
            ORDER BY e.starts_on DESC, e.id DESC LIMIT \(limit)
            """
    }

    /// The existing events with these IDs, in no particular order.
    func events(_ ids: [PublicID], for person: Person, in database: some Querying) async throws -> [ListedEvent] {
        guard !ids.isEmpty else { return [] }
        return try await database.all(
            """
            SELECT e.fields, \(Self.isFavourite(of: person)) FROM cultural_events e WHERE e.event_id = ANY(\(ids))
            """
        ) { row in
            let (fields, isFavourite) = try row.decode(as: (PostgresJSON<[String: String]>, Bool).self)
            return ListedEvent(CulturalEvent(fields.value), isFavourite: isFavourite)
        }
    }

    /// Deletes an account's like of an event, and of others with the same title, which the app cannot distinguish.
    func unlike(_ id: PublicID, by person: Person, in database: some Querying) async throws {
        try await database.execute(
            """
            DELETE FROM favourites WHERE account_id = \(person.account) AND (event_id = \(id) OR product_id = (
                SELECT title || \(person.publicID) FROM cultural_events WHERE event_id = \(id)))
            """
        )
    }

    /// Compares titles, as the app does (Culture contract 4.3).
    private static func isFavourite(of person: Person) -> SQL {
        """
        EXISTS (SELECT FROM favourites f
            WHERE f.account_id = \(person.account) AND f.product_id = e.title || \(person.publicID))
        """
    }

    private static func matches(_ filter: EventFilter) -> SQL {
        var conditions: SQL = "true"
        if let from = filter.from { conditions = "\(conditions) AND e.ends_on >= \(from)" }
        if let to = filter.to { conditions = "\(conditions) AND e.starts_on <= \(to)" }
        if let district = filter.district { conditions = "\(conditions) AND e.district = \(district)" }
        if let category = filter.category {
            conditions = """
                \(conditions) AND \(category) IN (e.category, split_part(e.category, '/', 1),
                    split_part(e.category, '-', 1))
                """
        }
        if let title = filter.title { conditions = "\(conditions) AND strpos(lower(e.title), lower(\(title))) > 0" }
        if let isFree = filter.isFree { conditions = "\(conditions) AND e.is_free = \(isFree)" }
        if let place = filter.near, let distance = filter.maxDistance {
            conditions = "\(conditions) AND \(Self.distance(from: place)) <= \(distance)"
        }
        return conditions
    }

    /// The great-circle distance in metres, as in `Coordinate.distance(to:)`; NULL for an event without a position.
    private static func distance(from place: Coordinate) -> SQL {
        """
        2 * \(Coordinate.radius) * asin(least(1, sqrt(
            power(sin(radians(e.latitude - \(place.latitude)) / 2), 2) + cos(radians(\(place.latitude)))
                * cos(radians(e.latitude)) * power(sin(radians(e.longitude - \(place.longitude)) / 2), 2))))
        """
    }
}
