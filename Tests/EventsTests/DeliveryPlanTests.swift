import Postgres
import TestKit
import Testing

@testable import Events

@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct DeliveryPlanTests {
    /// Taking the deliveries of one subscriber scans an index range of its own, whatever the backlog of another.
    @Test func take_readsOnlyDeliveriesOfSubscriber() async throws {
        let database = TestDatabase.current.client
        // With so many rows a sequential scan would cost twice as much as the index scan.
        try await database.execute(
            """
            INSERT INTO outbox (name, key, body)
            SELECT 'auth.step-taken', 'story ' || number % 500, '{}' FROM generate_series(1, 60000) AS number
            """
        )
        try await database.execute(
            """
            INSERT INTO outbox_deliveries (subscriber, event, key)
            SELECT subscriber, id, key FROM outbox, unnest(ARRAY['away', 'seats']) AS subscriber
            WHERE subscriber = 'away' OR id > 59990
            """
        )
        let store = DeliveryStore(database: database)
        try await store.analyze()
        for subscriber in ["away", "seats"] {
            let statement = DeliveryStore.taking(.fresh, to: subscriber, limit: 256, for: .seconds(30))
            let plan = try await database.all("EXPLAIN \(statement)") { try $0.decode(String.self) }
                .joined(separator: "\n")
            #expect(!plan.contains("Seq Scan on outbox_deliveries") && !plan.contains("Sort"), "\(plan)")
            #expect(plan.contains("outbox_deliveries_pkey on outbox_deliveries d_1"), "\(plan)")
            #expect(plan.contains("ROW(subscriber, key) >= ROW(w.subscriber, w.key)"), "\(plan)")
        }
        #expect(try await store.take(.fresh, to: "seats", limit: 256, for: .seconds(30)).count == 10)
        #expect(try await store.take(.fresh, to: "away", limit: 256, for: .seconds(30)).count == 256)
    }
}
