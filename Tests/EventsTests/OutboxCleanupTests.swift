import Contracts
import Postgres
import TestKit
import Testing

@testable import Events

@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct OutboxCleanupTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private var cleanup: OutboxCleanup { OutboxCleanup(database: database, subscribers: ["seats", "chat"]) }

    /// Writes events of an age, numbered from 1 in their keys.
    private func write(_ count: Int, daysOld days: Int) async throws {
        try await database.execute(
            """
            INSERT INTO outbox (name, key, body, created_at)
            SELECT 'auth.step-taken', number, '{}', now() - make_interval(days => \(days)::int)
            FROM generate_series(1, \(count)) AS number
            """
        )
    }

    private func deliver(event: Int, to subscriber: String, isParked: Bool = false) async throws {
        try await database.execute(
            """
            INSERT INTO outbox_deliveries (subscriber, event, key, parked_at, refused_at)
            SELECT \(subscriber), id, key, at, at
            FROM outbox, (SELECT CASE WHEN \(isParked) THEN now() END AS at) AS parked WHERE id = \(event)
            """
        )
    }

    private func events() async throws -> [Int] {
        try await database.all("SELECT id FROM outbox ORDER BY id") { try $0.decode(Int.self) }
    }

    @Test func deliveredEvents_areKeptForSevenDays() async throws {
        try await write(12_000, daysOld: 8)
        try await write(3, daysOld: 6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await cleanup.deleteDelivered() } }
            try await group.waitForAll()
        }
        #expect(try await events() == [12_001, 12_002, 12_003])
    }

    @Test func waitingEvent_keepsLaterEvents_andParkedEventItself() async throws {
        try await write(9, daysOld: 8)
        try await deliver(event: 3, to: "seats", isParked: true)
        try await deliver(event: 7, to: "chat")
        try await cleanup.deleteDelivered()
        #expect(try await events() == [3, 7, 8, 9])
        try await database.execute("DELETE FROM outbox_deliveries WHERE event = 7")
        try await cleanup.deleteDelivered()
        #expect(try await events() == [3])
    }

    @Test func backlog_isMeasured() async throws {
        try await write(5, daysOld: 3)
        try await deliver(event: 1, to: "seats", isParked: true)
        try await deliver(event: 2, to: "workforce")
        try await deliver(event: 3, to: "estate")
        try await deliver(event: 4, to: "chat")
        try await database.execute("UPDATE outbox SET created_at = now() - interval '1 hour' WHERE id = 3")
        let backlog = try await cleanup.review()
        #expect(backlog.ages["seats"] == 0)
        #expect(abs((backlog.ages["chat"] ?? 0) - 3 * 86_400) < 3_600)
        #expect(backlog.strays == 1)
        #expect(backlog.parked == 1)
    }

    /// Relays of subscribers that a publication does not concern are not woken.
    @Test(.outbox) func publication_namesItsSubscribers() async throws {
        let world = OutboxWorld.current
        let outbox = Outbox(
            subscribers: world.outbox.subscribers + [
                Subscriber(.chat, to: [StepTaken.self, StoryWritten.self], client: world.client)
            ]
        )
        var payloads: [PostgresNotification] = []
        for await notification in database.announcer.notifications(on: Outbox.channel) {
            payloads.append(notification)
            switch payloads.count {
            case 1: try await database.transaction { try outbox.publish(StoryWritten(story: "a"), in: $0) }
            case 2:
                let step = StepTaken(story: "a", number: 1)
                try await database.transaction { try outbox.publish(step, in: $0) }
            default: break
            }
            if payloads.count == 3 { break }
        }
        #expect(payloads == [.listening, .message("chat"), .message("seats chat")])
        #expect(payloads.map { $0.concerns("seats") } == [true, false, true])
        #expect(payloads.map { $0.concerns("chat") } == [true, true, true])
        #expect(PostgresNotification.message("").concerns("seats"), "an older version names no subscribers")
    }
}
