import Contracts
import FoundationEssentials
import Postgres
import PostgresServer
import StackKit

/// The delivery of events that were committed at once, from chat to notifications; after `messages`, which creates people.
extension GrowthBench {
    static func events(
        _ bench: BenchContext,
        _ database: Database,
        _ server: PostgresServer
    ) async throws -> [BenchResult] {
        let fixture = try NotificationsFixture(database)
        return try await fixture.withPrograms(bench) {
            try await PushDataset.build(server)
            // The first ones establish connections and query plans.
            _ = try await delivery(of: 1000, server)
            var growth = Growth([])
            for count in [1000, 10_000, 100_000] {
                bench.report("\(count) waiting events")
                growth.points.append((Double(count), try await delivery(of: count, server)))
            }
            return growth.results("until all are delivered", of: "waiting events", unit: "ms")
        }
    }

    /// - Returns: Milliseconds from the commit of the events, of a room each, until all are confirmed. Up to five seconds of
    ///   them are the time until the relay looks for events that were not announced.
    private static func delivery(of count: Int, _ server: PostgresServer) async throws -> Double {
        let event = ChatEvents.MessageSent(
            app: .anlaka,
            room: ChatDataset.publicID(1),
            sequence: 1,
            sender: AccountID(rawValue: ChatDataset.account(1)),
            recipient: AccountID(rawValue: PushDataset.account(1)),
            text: ChatLoad.content,
            files: 0,
            isSeen: true
        )
        let body = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
        return try await server.withClient(of: Database.name) { client in
            let begin = ContinuousClock.now
            try await client.execute(
                """
                WITH events AS (
                    INSERT INTO chat.outbox (name, key, body)
                    SELECT \(ChatEvents.MessageSent.name), 'room ' || n, \(body)::jsonb || jsonb_build_object(
                        'room', lpad(to_hex(n), 24, '0'), 'recipient', \(PushDataset.account(0)) + 1 + n % \(PushDataset.people))
                    FROM generate_series(1, \(count)) n RETURNING id, key
                )
                INSERT INTO chat.outbox_deliveries (subscriber, event, key) SELECT 'notifications', id, key FROM events
                """
            )
            let committed = ContinuousClock.now
            func isWaiting() async throws -> Bool {
                try await client.one("SELECT EXISTS (SELECT FROM chat.outbox_deliveries)") { try $0.decode(Bool.self) }
            }
            while try await isWaiting() {
                guard ContinuousClock.now - begin < .seconds(300) else {
                    throw StackError("not all events are delivered")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            return (ContinuousClock.now - committed) / .milliseconds(1)
        }
    }
}
