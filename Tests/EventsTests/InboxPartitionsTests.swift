import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceDatabase
import TestKit
import Testing

@testable import Events

/// The ids of received events in partitions by day.
@Suite(.timeLimit(.minutes(1))) struct InboxPartitionsTests {
    private var database: PostgresClient { TestDatabase.current.client }

    /// An id of an event of an age.
    private static func id(daysAgo days: Int) -> SQL {
        """
        (lpad(to_hex((extract(epoch FROM now() - make_interval(days => \(days)::int)) * 1000)::bigint), 12, '0')
            || right(replace(event_uuid()::text, '-', ''), 20))::uuid
        """
    }

    private func count(_ condition: SQL = "true") async throws -> Int {
        try await database.one("SELECT count(*) FROM inbox WHERE \(condition)") { try $0.decode(Int.self) }
    }

    private func partitions() async throws -> Int {
        try await database.one("SELECT count(*) FROM pg_inherits WHERE inhparent = 'inbox'::regclass") {
            try $0.decode(Int.self)
        }
    }

    @Test(.database(OutboxWorld.migrations), .outbox) func publishedEvents_haveIDsInOrderOfTime() async throws {
        for _ in 0..<3 {
            let event = StepTaken(story: "a", number: 1)
            try await database.transaction { try OutboxWorld.current.outbox.publish(event, in: $0) }
            try await database.execute("SELECT pg_sleep(0.002)")
        }
        try await database.execute(
            "INSERT INTO outbox (name, key, body) SELECT 'n', n, '{}' FROM generate_series(1, 1000) n"
        )
        let ids = try await database.all("SELECT event_id::text FROM outbox ORDER BY id LIMIT 3") {
            try $0.decode(String.self)
        }
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /.{8}-.{4}-7.{3}-[89ab].{3}-.{12}/) != nil) }
        let isNow = try await database.one(
            """
            SELECT bool_and(abs(('x' || left(replace(event_id::text, '-', ''), 12))::bit(48)::bigint
                - extract(epoch FROM created_at) * 1000) < 60000) AND count(DISTINCT event_id) = count(*) FROM outbox
            """
        ) { try $0.decode(Bool.self) }
        #expect(isNow)
    }

    @Test(.database(OutboxWorld.migrations)) func redeliveries_meetInOnePartition() async throws {
        let ids: SQL = "ARRAY[event_uuid(), gen_random_uuid(), \(Self.id(daysAgo: 9))]"
        try await database.execute("CREATE TABLE sent AS SELECT unnest(\(ids)) AS id")
        try await OutboxWorld.application(database).test(.router) { client in
            let auth = ServiceClient(client, to: .seats, process: .auth)
            let sent = try await database.all("SELECT id::text FROM sent") { try $0.decode(String.self) }
            for _ in 0..<3 {
                for id in sent {
                    let json = #"{"id":"\#(id)","name":"auth.step-taken","body":{"story":"\#(id)","number":1}}"#
                    #expect(try await auth.send(.post, "/internal/events", json: json).status == .noContent)
                }
                try await Inbox.partitions.maintain(database)
            }
        }
        #expect(try await database.one("SELECT count(*) FROM steps") { try $0.decode(Int.self) } == 3)
        #expect(try await count("tableoid = 'inbox_default'::regclass") == 2)
    }

    /// A year of days, of which eight are kept, and the day of an event that was delivered late.
    @Test(.database(OutboxWorld.migrations)) func oldDays_areDropped() async throws {
        try await database.execute(
            """
            DO $$
            DECLARE day timestamp; bounds text[];
            BEGIN
                FOR day IN SELECT date_trunc('day', now() AT TIME ZONE 'UTC') - n * interval '1 day'
                    FROM generate_series(1, 365) AS n LOOP
                    bounds := ARRAY(SELECT rpad(lpad(to_hex((extract(epoch FROM b) * 1000)::bigint), 12, '0'), 32, '0')
                        FROM unnest(ARRAY[day, day + interval '1 day']) AS b);
                    EXECUTE format('CREATE TABLE %I PARTITION OF inbox FOR VALUES FROM (%L) TO (%L)',
                        'inbox_' || to_char(day, 'YYYYMMDD'), bounds[1], bounds[2]);
                    INSERT INTO inbox SELECT overlay(bounds[1] PLACING lpad(to_hex(n), 12, '0') FROM 21)::uuid,
                        day AT TIME ZONE 'UTC' FROM generate_series(1, 100) AS n;
                END LOOP;
            END $$
            """
        )
        try await database.execute("INSERT INTO inbox (event_id) VALUES (\(Self.id(daysAgo: 100)))")
        #expect(try await count() == 36_501)
        try await Inbox.partitions.maintain(database)
        // Eight days before today, today and the next two, the default partition, and the day of the late event.
        #expect(try await partitions() == 13)
        #expect(try await count("received_at < now() - interval '9 days'") == 100)
        #expect(try await count() == 901)
        try await database.execute(
            """
            UPDATE inbox SET received_at = now() - interval '9 days'
            WHERE received_at > now() - interval '1 hour' AND event_id < \(Self.id(daysAgo: 99))
            """
        )
        try await Inbox.partitions.maintain(database)
        #expect(try await partitions() == 12)
    }

    /// The statements of processes that were started before the table had partitions.
    @Test(.database(OutboxWorld.migrations)) func statementsOfEarlierVersion_keepYoungIDs() async throws {
        let insertion: SQL = """
            INSERT INTO inbox (event_id) SELECT id FROM unnest(ARRAY(SELECT id FROM sent)) AS id ORDER BY id
            ON CONFLICT DO NOTHING RETURNING event_id
            """
        try await database.execute("CREATE TABLE sent AS SELECT event_uuid() AS id FROM generate_series(1, 500)")
        for count in [500, 0] {
            #expect(try await database.all(insertion) { try $0.decode(UUID.self) }.count == count)
        }
        // The rows of both partitions have the same places.
        try await database.execute(
            "INSERT INTO inbox SELECT gen_random_uuid(), now() - interval '9 days' FROM generate_series(1, 500)"
        )
        let deletion: SQL = """
            DELETE FROM "inbox" WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM "inbox" WHERE received_at < now() - interval '8 days' LIMIT 5000 FOR UPDATE SKIP LOCKED
            ))
            """
        #expect(try await database.execute(deletion) == 500)
        #expect(try await count("event_id IN (SELECT id FROM sent)") == 500)
        #expect(try await count() == 500)
    }

    /// Ids that were received before the migration are still known after it, also those with the time of a present day.
    @Test(.database()) func migration_keepsReceivedIDs() async throws {
        try await database.migrate(Array(OutboxWorld.migrations.dropLast()))
        try await database.execute("INSERT INTO inbox SELECT gen_random_uuid() FROM generate_series(1, 1000)")
        try await database.execute(
            """
            INSERT INTO inbox VALUES (
                (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid)
            """
        )
        try await database.execute("CREATE TABLE sent AS SELECT event_id FROM inbox")
        try await database.migrate(OutboxWorld.migrations)
        let new = try await database.execute("INSERT INTO inbox SELECT event_id FROM sent ON CONFLICT DO NOTHING")
        #expect(new == 0)
        // Tomorrow and the day after, and the default partition with today's id.
        #expect(try await partitions() == 3)
        #expect(try await count("tableoid = 'inbox_default'::regclass") == 1001)
    }
}
