import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import TestKit
import Testing
import Values

@testable import Estate

/// Reservations and market notes of two years.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func count(_ sql: SQL) async throws -> Int {
        try await database.one(sql) { try $0.decode(Int.self) }
    }

    /// A listing with ten orders on each of 730 days: paid, released, and held until that day, in turn.
    private func fillReservations() async throws {
        try await database.batch([
            """
            INSERT INTO people (account_id, app, public_id, nickname) VALUES (1, 'anlaka', lpad('1', 24, '0'), 'n')
            """,
            """
            INSERT INTO listings (public_id, creator_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell)
            VALUES (lpad('1', 24, '0'), 1, 'c', 't', 'i', 'd', '{}', 1, 1, 1, 1, '2000-01-01', 1, 1, 1, '{}', false, false,
                37, 127, 37, 127, 1)
            """,
            """
            INSERT INTO reservations (order_code, listing_id, account_id, held_until, created_at)
            SELECT 'o' || n, l.id, 1,
                CASE n % 3 WHEN 1 THEN '-infinity'::timestamptz WHEN 2 THEN at + interval '10 minutes' END, at
            FROM listings l, generate_series(0, 7299) n,
                LATERAL (SELECT now() - make_interval(days => n / 10) AS at) AS a
            """,
        ])
        try await TestDatabase.current.analyze()
    }

    @Test func unpaidReservations_areKeptFor90Days_andPaidOnes() async throws {
        try await fillReservations()
        let plan = try await Plans.measured(
            PostgresClient.pruning("reservations", where: ReservationStore.isReleased, limit: 100)
        )
        #expect(!plan.contains("Seq Scan") && Plans.rows(of: plan) < 1_500, "\(plan)")
        try await ReservationStore().deleteReleased(in: database)
        #expect(try await count("SELECT count(*) FROM reservations WHERE held_until IS NULL") == 2_434)
        let unpaid = "SELECT count(*) FROM reservations WHERE held_until IS NOT NULL" as SQL
        #expect(try await count("\(unpaid) AND created_at < now() - interval '90 days'") == 0)
        #expect(try await count(unpaid) == 600)
    }

    @Test func marketNotes_areKeptForAYear_andOperatorsTopics() async throws {
        let clock = ManualClock("2026-11-25T12:00")
        try await database.batch([
            """
            INSERT INTO topics (date, kind, title)
            SELECT '2026-11-25'::date - n, kind, 't' FROM generate_series(0, 729) n, unnest('{a,b,c}'::text[]) AS kind
            """,
            "INSERT INTO topics (date, title) SELECT '2026-11-25'::date - n, 't' FROM generate_series(0, 700, 100) n",
        ])
        try await Topics(database: database, now: { clock.now }).prune()
        #expect(try await count("SELECT count(*) FROM topics WHERE kind IS NOT NULL") == 366 * 3)
        #expect(try await count("SELECT count(*) FROM topics WHERE kind IS NULL") == 8)
        // What a later round reads.
        try await database.execute("VACUUM ANALYZE topics")
        let day = try #require(CivilDate("2025-11-25"))
        let plan = try await Plans.measured(
            PostgresClient.pruning("topics", where: TopicStore.isNote(before: day), limit: 100)
        )
        #expect(plan.contains("using topics_date") || plan.contains("on topics_date"), "\(plan)")
    }
}
