import Postgres
import TestKit
import Testing

@testable import Events

/// The cost of the statements that are repeated while events wait.
@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(2))) struct DeliveryPlanTests {
    private var database: PostgresClient { TestDatabase.current.client }

    /// What the planner knows of the tables.
    enum Statistics: CaseIterable {
        case none, ofEmptyTables, current
    }

    /// 100,010 waiting events for `away`, a quarter of which have failed, and 10 for `seats`.
    private func fill(_ statistics: Statistics) async throws {
        // Autovacuum would gather statistics at a time that the test does not determine.
        for table in ["outbox", "outbox_deliveries"] {
            try await database.execute("ALTER TABLE \(identifier: table) SET (autovacuum_enabled = false)")
            // A schema that another test has used keeps the statistics of its rows.
            try await database.execute("DELETE FROM pg_statistic WHERE starelid = \(table)::regclass")
            if statistics == .ofEmptyTables { try await database.execute("ANALYZE \(identifier: table)") }
        }
        try await database.execute(
            """
            INSERT INTO outbox (name, key, body, created_at)
            SELECT 'auth.step-taken', 'story ' || number % 40000, '{}', now() - interval '2 days'
            FROM generate_series(1, 100010) AS number
            """
        )
        try await database.execute(
            """
            INSERT INTO outbox_deliveries (subscriber, event, key, last_error, due_at)
            SELECT subscriber, id, key, CASE WHEN id % 4 = 0 THEN 'failed' END, created_at
            FROM outbox, unnest(ARRAY['away', 'seats']) AS subscriber WHERE subscriber = 'away' OR id > 100000
            """
        )
        guard statistics == .current else { return }
        for table in ["outbox", "outbox_deliveries"] { try await database.execute("ANALYZE \(identifier: table)") }
    }

    /// The rows that a statement reads, without keeping its effect.
    private func cost(of statement: SQL) async throws -> (rows: Int, plan: String) {
        let plan = try await Plans.measured(statement)
        return (Plans.rows(of: plan), plan)
    }

    @Test(arguments: Statistics.allCases) func take_readsBoundedNumberOfRows(statistics: Statistics) async throws {
        try await fill(statistics)
        for lane in [Delivery.Lane.fresh, .tried] {
            for subscriber in ["away", "seats"] {
                let cost = try await cost(
                    of: DeliveryStore.taking(
                        lane,
                        to: subscriber,
                        limit: 100,
                        for: .seconds(30),
                        pause: .milliseconds(200)
                    )
                )
                #expect(cost.rows < 5_000, "\(subscriber): \(cost.plan)")
            }
        }
        let store = DeliveryStore(database: database)
        let taken = try await store.take(.fresh, to: "away", limit: 256, for: .seconds(30))
        #expect(taken.deliveries.count + taken.postponed == 256)
        #expect(try await store.take(.fresh, to: "seats", limit: 256, for: .seconds(30)).deliveries.count > 0)
    }

    /// With and without a parked event, which may be the last of all.
    @Test(arguments: Statistics.allCases, [false, true]) func cleanup_readsBoundedNumberOfRows(
        statistics: Statistics,
        hasParked: Bool
    ) async throws {
        try await fill(statistics)
        try await database.execute("DELETE FROM outbox_deliveries WHERE event <= 20000")
        if hasParked {
            try await database.execute(
                "UPDATE outbox_deliveries SET parked_at = now(), refused_at = now() WHERE event IN (20001, 100010)"
            )
        }
        let cleanup = OutboxCleanup(database: database, subscribers: [])
        if statistics != .current {
            try await eventually("the changes are counted") { try await cleanup.refreshStatistics() }
            #expect(try await !cleanup.refreshStatistics(), "little has changed since")
        }
        let statements = [
            OutboxCleanup.release, OutboxCleanup.ages, OutboxCleanup.parkedCount, OutboxCleanup.deletion(limit: 1_000),
        ]
        for statement in statements {
            let cost = try await cost(of: statement)
            #expect(cost.rows < 10_000, "\(cost.plan)")
        }
    }
}
