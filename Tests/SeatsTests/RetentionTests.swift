import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Subway
import TestKit
import Testing
import Values

@testable import Seats

/// Old rows of each table go, in batches, and the others stay.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func retention(batch: Int = 4) -> Retention {
        var retention = Retention(
            database: database,
            responses: IdempotencyKeys(database: database, now: { .now })
        )
        retention.batch = batch
        return retention
    }

    private func prepare() async throws {
        try await StationStore(database: database).load(try StationData.stations())
        for account in [1, 2] as [AccountID] {
            try await PassengerStore().save(account: account, nickname: "n", image: "IMAGE_1", tags: [], in: database)
        }
        let car = try CarAddress(train: "2234", code: "2429")
        try await database.transaction { try await CarStore().create(car, in: $0) }
    }

    /// A table, the insertion of ten rows with an age in seconds, and the age at which they go.
    private static let tables: [(table: String, insertion: SQL, days: Double)] = [
        (
            "rewards",
            """
            INSERT INTO rewards (account_id, train_code, service_date)
            SELECT 1, 'T' || age || n, service_date() - (age / 86400)::integer
            """, 91
        ),
        (
            "yield_requests",
            """
            INSERT INTO yield_requests (seat_id, owner_id, requester_id, amount, status, created_at, expires_at)
            SELECT (SELECT min(id) FROM seats), 1, 2, 0, 'REJECTED', now() - make_interval(secs => age), now()
            """, 91
        ),
        (
            "journeys",
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, train_code, status, created_at,
                expected_arrival)
            SELECT 1, 32, 40, '2234', 'ARRIVED', now() - make_interval(secs => age), now()
            """, 367
        ),
        (
            "reports",
            """
            INSERT INTO reports (reporter_id, reported_id, reason, created_at)
            SELECT 1, 2, 'R' || age || n, now() - make_interval(secs => age)
            """, 1100
        ),
        (
            "revoked_sessions",
            """
            INSERT INTO revoked_sessions (session, revoked_at)
            SELECT 'S' || age || n, now() - make_interval(secs => age)
            """, 3
        ),
        (
            "alerts",
            """
            INSERT INTO alerts (account_id, kind, arguments, due_at)
            SELECT 1, 'ARRIVAL_HANDLED', '{}', now() - make_interval(secs => age)
            """, 1.1
        ),
        (
            "sightings",
            """
            INSERT INTO sightings (service_date, train_code, line, direction, terminal, station_id, seconds, seen_at)
            SELECT service_date() - (age / 86400)::integer, 'T' || n, 'LINE_2', 0, '성수', 32, 10, now()
            """, 2
        ),
        (
            "trains",
            """
            INSERT INTO trains (code, sighted_at) SELECT 'T' || age || n, now() - make_interval(secs => age)
            """, 31
        ),
        (
            "cars",
            """
            INSERT INTO cars (train_code, car_code, made_at)
            SELECT 'T' || age, '24' || n + 10, now() - make_interval(secs => age)
            """, 31
        ),
        (
            "requests",
            """
            INSERT INTO requests (account_id, key, fingerprint, status, created_at)
            SELECT 1, 'K' || age || n, '', 200, now() - make_interval(secs => age)
            """, 1.1
        ),
    ]

    @Test(arguments: tables.indices) func oldRows_areDeleted(index: Int) async throws {
        let (table, insertion, days) = Self.tables[index]
        try await prepare()
        func count() async throws -> Int {
            try await database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
        }
        let before = try await count()
        for age in [days * 86_400, 0] {
            try await database.execute(
                """
                \(insertion) FROM generate_series(1, 10) AS n, (VALUES (\(Int(age))::double precision)) AS v(age)
                """
            )
        }
        #expect(try await count() == before + 20)
        var runs = 0
        while try await retention().run() { runs += 1 }
        #expect(try await count() == before + 10)
        #expect(runs >= (table == "requests" ? 0 : 2), "\(table)")
    }

    /// Messages of a day, a hundred an hour: those of this hour and the last stay, and are read across partitions.
    @Test func oldMessages_areDroppedByHour() async throws {
        try await database.execute(
            """
            DO $$
            DECLARE
                hour timestamp;
                this_hour timestamp := date_trunc('hour', now() AT TIME ZONE 'UTC');
            BEGIN
                -- The first partition has the messages of all earlier hours.
                EXECUTE format('DROP TABLE %I', 'live_messages_' || to_char(this_hour, 'YYYYMMDDHH24'));
                FOR hour IN SELECT this_hour - n * interval '1 hour' FROM generate_series(0, 23) AS n LOOP
                    EXECUTE format('CREATE TABLE %I PARTITION OF live_messages FOR VALUES FROM (%L) TO (%L)',
                        'live_messages_' || to_char(hour, 'YYYYMMDDHH24'),
                        hour AT TIME ZONE 'UTC', (hour + interval '1 hour') AT TIME ZONE 'UTC');
                END LOOP;
                INSERT INTO live_messages (topic, body, created_at)
                    SELECT 'path/1', '{}', (this_hour - h * interval '1 hour') AT TIME ZONE 'UTC' + m * interval '1 second'
                    FROM generate_series(23, 0, -1) AS h, generate_series(1, 100) AS m;
            END $$
            """
        )
        for _ in 0..<2 { _ = try await retention().run() }
        let topic = LiveTopic.path(1)
        let messages = try await LiveStore().messages(after: [(topic.name, .zero)], limit: 1000, in: database)
        #expect(messages.count == 200 && messages.map(\.id) == messages.map(\.id).sorted())
        #expect(try await LiveStore().lastID(of: topic, in: database) == messages.last?.id)
        let partitions = try await database.one(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'live_messages'::regclass"
        ) { try $0.decode(Int.self) }
        // Of the last hour, this one and the next two, and the default one.
        #expect(partitions == 5)
    }

    /// Messages from before the partitions are read and delivered after the migration, and their ids go on.
    @Test(.database()) func migrationOfMessages_keepsThem() async throws {
        let database = TestDatabase.current.client
        try await database.migrate(Migrations.all.filter { $0.version < 20 })
        let topic = LiveTopic.path(1)
        for _ in 0..<3 {
            try await database.execute("INSERT INTO live_messages (topic, body) VALUES (\(topic.name), '[\"a\"]')")
        }
        try await database.migrate(Migrations.all)
        let id = try await database.transaction { try await LiveStore().publish(["b"], to: topic, in: $0) }
        #expect(id == 4)
        let messages = try await LiveStore().messages(after: [(topic.name, .zero)], limit: 1000, in: database)
        #expect(messages.map(\.id) == [1, 2, 3, 4])
        try await LiveStore().markDelivered([1, 4], in: database)
        #expect(try await LiveStore().undelivered(on: topic, in: database) == nil)
        // The statement of an earlier version.
        let deleted = try await database.execute(
            """
            DELETE FROM live_messages WHERE id IN (
                SELECT id FROM live_messages WHERE created_at < now() + interval '1 hour' ORDER BY created_at LIMIT 3)
            """
        )
        #expect(deleted == 3)
        #expect(
            try await LiveStore().messages(after: [(topic.name, .zero)], limit: 1000, in: database).map(\.id) == [4]
        )
    }

    /// What is still of use stays however old it is.
    @Test func pendingRequestsAndActiveJourneys_stay() async throws {
        try await prepare()
        try await database.batch([
            """
            INSERT INTO yield_requests (seat_id, owner_id, requester_id, amount, created_at, expires_at)
            SELECT min(id), 1, 2, 0, now() - interval '1 year', now() FROM seats
            """,
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, train_code, status, created_at,
                expected_arrival)
            VALUES (1, 32, 40, '2234', 'ACTIVE', now() - interval '2 years', now())
            """,
        ])
        while try await retention().run() {}
        let counts = try await database.one(
            "SELECT (SELECT count(*) FROM yield_requests), (SELECT count(*) FROM journeys)"
        ) { try $0.decode(Int.self, Int.self) }
        #expect(counts == (1, 1))
    }

    @Test func unlocks_goWithJourneys() async throws {
        try await prepare()
        try await database.batch([
            """
            INSERT INTO journeys (account_id, start_station_id, end_station_id, status, created_at, expected_arrival)
            SELECT 1, 32, 40, 'PLANNED', now() - interval '1 year' * n, now() FROM generate_series(0, 2) AS n
            """,
            "INSERT INTO unlocks SELECT id FROM journeys",
        ])
        while try await retention().run() {}
        #expect(try await database.one("SELECT count(*) FROM unlocks") { try $0.decode(Int.self) } == 1)
    }

    /// Random transfers of a year ago and of today: fewer rows, the same balances.
    @Test func oldTransfers_becomeBalances() async throws {
        try await prepare()
        var random = SplitMix(state: 9)
        let ledger = LedgerStore()
        for number in (1...60).map(YieldRequestID.init(rawValue:)) {
            let account = AccountID(rawValue: Int64.random(in: 1...2, using: &random))
            try await database.transaction { transaction in
                try await ledger.move(.reward, 300, passenger: account, in: transaction)
                try await ledger.move(.escrow(request: number), 100, passenger: account, in: transaction)
                let isRefunded = number.rawValue % 2 == 0
                let transfer: Transfer = isRefunded ? .refund(request: number) : .yield(request: number)
                try await ledger.move(
                    transfer,
                    100,
                    passenger: AccountID(rawValue: 3 - account.rawValue),
                    in: transaction
                )
                try await ledger.move(.unlock, 10, passenger: account, in: transaction)
            }
        }
        try await database.execute("UPDATE transfers SET at = now() - interval '2 years' WHERE id <= 201")
        func balances() async throws -> [String: Int64] {
            let rows = try await database.all(
                "SELECT holder, sum(amount)::bigint FROM ledger_entries GROUP BY holder HAVING sum(amount) <> 0"
            ) { try $0.decode(String.self, Int64.self) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        let before = try await balances()
        while try await retention(batch: 50).run() {}
        #expect(try await balances() == before)
        try await LedgerAudit.check(database)
        let count = try await database.one("SELECT count(*) FROM transfers") { try $0.decode(Int.self) }
        #expect(count <= 39 + 5 * 4)
    }
}
