import Postgres
import ServiceDatabase
import TestKit
import Testing

/// Two partitioned tables: `notes` by the instant of the row, and `ids` by UUIDs of version 7.
private enum Tables {
    static let migrations = [
        Migration(
            version: 1,
            name: "tables",
            sql: Array(
                """
                CREATE TABLE notes (id bigint, at timestamptz NOT NULL DEFAULT now()) PARTITION BY RANGE (at);
                CREATE INDEX ON notes (at);
                CREATE TABLE notes_default PARTITION OF notes DEFAULT;
                CREATE TABLE ids (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()) PARTITION BY RANGE (id);
                CREATE INDEX ON ids (at);
                CREATE TABLE ids_default PARTITION OF ids DEFAULT;
                -- The first id of an instant.
                CREATE FUNCTION first_id(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS
                $$ SELECT rpad(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;
                """.utf8
            )
        )
    ]
}

@Suite(.database(Tables.migrations), .timeLimit(.minutes(1))) struct TimePartitionsTests {
    private let notes = TimePartitions(of: "notes", by: "at", per: .day, keep: 30 * 86_400)
    private let ids = TimePartitions(of: "ids", by: "id", .uuid, per: .day, ageColumn: "at", keep: 30 * 86_400)

    private var database: PostgresClient { TestDatabase.current.client }

    /// The days after today that the partitions of a table begin on, negative for earlier ones.
    private func days(of table: String) async throws -> [Int] {
        try await database.all(
            """
            SELECT right(relname, 8)::date - (now() AT TIME ZONE 'UTC')::date
            FROM pg_inherits JOIN pg_class ON oid = inhrelid
            WHERE inhparent = \(table)::regclass AND relname ~ '[0-9]$' ORDER BY 1
            """
        ) { try $0.decode(Int.self) }
    }

    private func rows(of table: String) async throws -> Int {
        try await database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
    }

    /// Creates the partitions of the last `days` days, each with ten rows.
    private func fill(_ days: Int) async throws {
        try await database.execute(
            SQL(
                stringLiteral: """
                    DO $$
                    DECLARE start timestamptz;
                    BEGIN
                        FOR start IN SELECT generate_series(today - interval '\(days) days', today, interval '1 day')
                            FROM (SELECT date_trunc('day', now(), 'UTC') AS today) AS t LOOP
                            EXECUTE format('CREATE TABLE %I PARTITION OF notes FOR VALUES FROM (%L) TO (%L)',
                                'notes_' || to_char(start AT TIME ZONE 'UTC', 'YYYYMMDD'), start, start + interval '1 day');
                            EXECUTE format('CREATE TABLE %I PARTITION OF ids FOR VALUES FROM (%L) TO (%L)',
                                'ids_' || to_char(start AT TIME ZONE 'UTC', 'YYYYMMDD'),
                                first_id(start), first_id(start + interval '1 day'));
                        END LOOP;
                        INSERT INTO notes SELECT n, day + make_interval(mins => n)
                            FROM (SELECT date_trunc('day', now(), 'UTC') AS today) AS t, generate_series(0, 9) AS n,
                                generate_series(today - interval '\(days) days', today, interval '1 day') AS day;
                        INSERT INTO ids SELECT first_id(at), at FROM notes;
                    END $$
                    """
            )
        )
    }

    @Test func comingSpans_havePartitions_whoeverCreatesThem() async throws {
        for _ in 0..<2 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await notes.maintain(database) }
                    group.addTask { try await ids.maintain(database) }
                }
                try await group.waitForAll()
            }
            #expect(try await days(of: "notes") == [0, 1, 2])
            #expect(try await days(of: "ids") == [0, 1, 2])
        }
        try await database.execute(
            "INSERT INTO notes SELECT n, now() + n * interval '1 day' FROM generate_series(0, 2) n"
        )
        try await database.execute(
            "INSERT INTO ids SELECT first_id(now() + n * interval '1 day') FROM generate_series(0, 2) n"
        )
        #expect(try await rows(of: "notes_default") == 0)
        #expect(try await rows(of: "ids_default") == 0)
        // The partitions have the indexes of the table.
        await #expect(throws: PostgresError.self) { try await database.execute("INSERT INTO ids SELECT id FROM ids") }
    }

    /// Without it, rows of a partition without a primary key could not be changed while the table is published.
    @Test func newPartitions_identifyRowsAsTheirTableDoes() async throws {
        try await database.execute("ALTER TABLE notes REPLICA IDENTITY FULL")
        try await notes.maintain(database)
        try await ids.maintain(database)
        for (table, identity) in [("notes", "f"), ("ids", "d")] {
            let identities = try await database.all(
                """
                SELECT relreplident::text FROM pg_class
                WHERE relispartition AND relkind = 'r' AND relname ~ (\(table)::text || '_[0-9]')
                    AND relnamespace = current_schema()::regnamespace
                """
            ) { try $0.decode(String.self) }
            #expect(identities == [identity, identity, identity])
        }
    }

    @Test(arguments: [TimePartitions.Span.hour, .day, .month])
    func spans_followEachOther(span: TimePartitions.Span) async throws {
        let partitions = TimePartitions(of: "notes", by: "at", per: span, keep: 86_400)
        try await partitions.maintain(database)
        try await database.execute(
            """
            INSERT INTO notes SELECT 1, generate_series(
                date_trunc(\(span.rawValue), now(), 'UTC'), now() + 2 * ('1 ' || \(span.rawValue)::text)::interval,
                '10 minutes')
            """
        )
        #expect(try await rows(of: "notes_default") == 0)
        let names = try await database.all("SELECT DISTINCT tableoid::regclass::text FROM notes") {
            try $0.decode(String.self)
        }
        #expect(names.count == 3, "\(names)")
    }

    @Test func oldPartitions_ofAYear_areDropped() async throws {
        try await fill(365)
        #expect(try await rows(of: "notes") == 3_660)
        try await notes.maintain(database)
        try await ids.maintain(database)
        // The oldest one has rows that are younger than 30 days.
        let kept = Array(-30...2)
        #expect(try await days(of: "notes") == kept)
        #expect(try await days(of: "ids") == kept)
        #expect(try await rows(of: "notes") == 310)
        let old = try await database.one("SELECT count(*) FROM notes WHERE at < now() - interval '31 days'") {
            try $0.decode(Int.self)
        }
        #expect(old == 0)
    }

    /// Rows that arrive late keep their partition, so that an id stays unique for as long as it is kept.
    @Test func partition_withYoungRow_stays() async throws {
        try await fill(40)
        let (noon, age) = (
            "date_trunc('day', now(), 'UTC') - interval '35 days' + interval '12 hours'" as SQL, "31 days"
        )
        try await database.execute("INSERT INTO ids VALUES (first_id(\(noon)))")
        try await ids.maintain(database)
        #expect(try await days(of: "ids") == [-35] + Array(-30...2))
        try await database.execute("UPDATE ids SET at = now() - \(age)::text::interval WHERE id = first_id(\(noon))")
        try await ids.maintain(database)
        #expect(try await days(of: "ids") == Array(-30...2))
    }

    @Test func rowsWithoutPartition_areKept_andDeletedByAge() async throws {
        try await database.execute(
            """
            INSERT INTO notes SELECT n, now() + make_interval(days => at) FROM generate_series(1, 10) n,
                unnest('{-31, -29, 0}'::int[]) AS at
            """
        )
        try await notes.maintain(database)
        // Today's rows are in the default partition already.
        #expect(try await days(of: "notes") == [1, 2])
        #expect(try await rows(of: "notes_default") == 20)
        try await notes.maintain(database)
        #expect(try await rows(of: "notes_default") == 20)
        try await database.execute("DELETE FROM notes")
        try await notes.maintain(database)
        #expect(try await days(of: "notes") == [0, 1, 2])
    }

    /// While a transaction uses the table, nothing is dropped, and statements wait no longer than the lock is waited for.
    @Test func usedTable_isLeftForNextRound() async throws {
        try await fill(40)
        try await database.transaction { transaction in
            try await transaction.execute("INSERT INTO notes VALUES (1)")
            let failure = await #expect(throws: PostgresError.self) { try await notes.maintain(database) }
            #expect(failure?.sqlState == .lockNotAvailable)
            try await database.execute("INSERT INTO notes VALUES (2)")
        }
        #expect(try await days(of: "notes").first == -40)
        try await notes.maintain(database)
        #expect(try await days(of: "notes").first == -30)
    }
}
