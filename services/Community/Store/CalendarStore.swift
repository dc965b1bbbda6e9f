import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of the calendar's refresh.
struct CalendarStore: Sendable {
    struct Attempt: Sendable {
        var number: Int64
        /// Number of consecutive failures before this attempt.
        var failures: Int
    }

    /// Begins an attempt if one is due, and blocks others until `end`.
    func begin(at now: Date, until end: Date, in database: some Querying) async throws -> Attempt? {
        try await database.optional(
            """
            UPDATE calendar_refresh SET attempt = attempt + 1, due_at = \(end) WHERE due_at <= \(now)
            RETURNING attempt, failures
            """
        ) { row in
            let (number, failures) = try row.decode(as: (Int64, Int).self)
            return Attempt(number: number, failures: failures)
        }
    }

    /// - Returns: Whether this is still the latest attempt.
    func extend(_ attempt: Int64, until end: Date, in database: some Querying) async throws -> Bool {
        try await database.execute("UPDATE calendar_refresh SET due_at = \(end) WHERE attempt = \(attempt)") == 1
    }

    func fail(_ attempt: Int64, until next: Date, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE calendar_refresh SET due_at = \(next), failures = failures + 1 WHERE attempt = \(attempt)"
        )
    }

    /// - Returns: Whether this is still the latest attempt.
    func finish(_ attempt: Int64, at now: Date, next: Date, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.execute(
            """
            UPDATE calendar_refresh SET due_at = \(next), failures = 0, refreshed_at = \(now)
            WHERE attempt = \(attempt)
            """
        ) == 1
    }

    /// Replaces all events. Existing ones keep their IDs, and thus their positions in lists.
    func replace(
        with events: [CulturalEvent],
        _ attempt: Int64,
        in transaction: PostgresTransaction
    ) async throws {
        for start in stride(from: 0, to: events.count, by: Self.batch) {
            try await insert(Array(events[start..<min(start + Self.batch, events.count)]), attempt, in: transaction)
        }
        try await transaction.execute("DELETE FROM cultural_events WHERE refresh < \(attempt)")
    }

    private static let batch = 1000

    private func insert(_ events: [CulturalEvent], _ attempt: Int64, in transaction: PostgresTransaction) async throws {
        let days = events.map { event in
            let start = event.startsOn ?? CivilDate(dayNumber: 0)
            return (start: start, end: event.endsOn ?? start)
        }
        let places = events.map(\.place)
        try await transaction.execute(
            """
            INSERT INTO cultural_events (event_id, title, category, district, starts_on, ends_on, is_free, latitude,
                longitude, fields, refresh)
            SELECT row.*, \(attempt) FROM unnest(
                \(events.map(\.id)), \(events.map { $0[.title] }), \(events.map { $0[.category] }),
                \(events.map { $0[.district] }), \(days.map(\.start)), \(days.map(\.end)), \(events.map(\.isFree)),
                \(places.map { $0?.latitude }), \(places.map { $0?.longitude }),
                \(events.map { PostgresJSON($0.fields) })
            ) AS row
            ON CONFLICT (event_id) DO UPDATE SET title = excluded.title, category = excluded.category,
                district = excluded.district, starts_on = excluded.starts_on, ends_on = excluded.ends_on,
                is_free = excluded.is_free, latitude = excluded.latitude, longitude = excluded.longitude,
                fields = excluded.fields, refresh = excluded.refresh
            """
        )
    }
}
