import Contracts
import Postgres
import ServiceDatabase
import TestKit
import Testing

@testable import Auth

/// Records of more than a year: old ones go, and young ones stay.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func insertAccounts(_ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO accounts (public_id, app, nickname)
            SELECT lpad(to_hex(n), 24, '0'), 'moup', 'n' || n FROM generate_series(1, \(count)) n
            """
        )
    }

    /// The months of the partitions, as numbers of months before this one.
    private func months() async throws -> [Int] {
        try await database.all(
            """
            SELECT (extract(year FROM age) * 12 + extract(month FROM age))::bigint
            FROM pg_inherits JOIN pg_class ON oid = inhrelid,
                LATERAL (SELECT age(date_trunc('month', now() AT TIME ZONE 'UTC'), to_date(right(relname, 6), 'YYYYMM'))) a
            WHERE inhparent = 'audit_log'::regclass AND relname ~ '[0-9]$' ORDER BY relname
            """
        ) { try $0.decode(Int.self) }
    }

    @Test func auditLog_isKeptForAYear() async throws {
        try await database.execute(
            """
            DO $$
            DECLARE
                month timestamp;
                this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
            BEGIN
                -- The first partition has the entries of all earlier months.
                EXECUTE format('DROP TABLE %I', 'audit_log_' || to_char(this_month, 'YYYYMM'));
                FOR month IN SELECT this_month - n * interval '1 month' FROM generate_series(0, 20) AS n LOOP
                    EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (%L) TO (%L)',
                        'audit_log_' || to_char(month, 'YYYYMM'),
                        month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
                END LOOP;
            END $$
            """
        )
        try await database.execute(
            """
            INSERT INTO audit_log (at, account_id, action)
            SELECT now() - make_interval(days => n), 1, 'signed_in' FROM generate_series(0, 599) n, generate_series(1, 10)
            """
        )
        #expect(try await Rows.count("SELECT count(*) FROM audit_log") == 6_000)
        for _ in 0..<2 { try await AuditStore.partitions.maintain(database) }
        let months = try await months()
        let oldest = try #require(months.first)
        #expect((11...12).contains(oldest) && months == Array((-2...oldest).reversed()))
        #expect(try await Rows.count("SELECT count(*) FROM audit_log WHERE at > now() - interval '365 days'") == 3_650)
        #expect(try await Rows.count("SELECT count(*) FROM audit_log WHERE at < now() - interval '397 days'") == 0)
    }

    /// Entries from before the partitions stay, and their ids are followed by higher ones.
    @Test(.database()) func migrationOfAuditLog_keepsEntries() async throws {
        let database = TestDatabase.current.client
        try await database.migrate(Migrations.all.filter { $0.version < 18 })
        try await insertAccounts(1)
        try await database.execute(
            """
            INSERT INTO audit_log (at, account_id, action)
            SELECT now() - make_interval(days => n), 1, 'signed_in' FROM generate_series(1, 500) n
            """
        )
        try await database.migrate(Migrations.all)
        // The statement of an earlier version.
        try await database.execute(
            """
            INSERT INTO audit_log (account_id, session_id, action, address, user_agent)
            VALUES (1, NULL, 'signed_out', 'a', 'b')
            """
        )
        #expect(try await Rows.count("SELECT count(*) FROM audit_log") == 501)
        #expect(try await Rows.count("SELECT max(id) FROM audit_log WHERE action = 'signed_out'") == 501)
        #expect(try await Rows.count("SELECT count(*) FROM audit_log_default") == 0)
        try await AuditStore().forgetOrigins(of: 1, in: database)
        #expect(try await Rows.count("SELECT count(*) FROM audit_log WHERE address IS NOT NULL") == 0)
    }

    /// Steps confirmed on each day of a year; a withdrawal of every tenth day is not finished.
    @Test func stepsOfWithdrawals_areKeptFor90Days() async throws {
        try await insertAccounts(7_300)
        try await database.batch([
            """
            INSERT INTO withdrawals (account_id, app, requested_at, due_at, started_at, finished_at)
            SELECT id, 'moup', at, at, at, CASE WHEN id % 200 > 0 THEN at END
            FROM accounts, LATERAL (SELECT now() - make_interval(days => (id / 20)::int, hours => 1) AS at) a
            """,
            """
            INSERT INTO withdrawal_steps (account_id, holder, done_at, next_at)
            SELECT account_id, holder, started_at, started_at FROM withdrawals, unnest('{seats,chat}'::text[]) AS holder
            """,
            """
            INSERT INTO withdrawal_steps (account_id, holder)
            SELECT account_id, 'kakao' FROM withdrawals WHERE finished_at IS NULL
            """,
        ])
        try await WithdrawalStore().forgetSteps(in: database)
        let isOld: SQL = "started_at < now() - interval '90 days'"
        let old: SQL = "SELECT count(*) FROM withdrawal_steps JOIN withdrawals USING (account_id) WHERE \(isOld)"
        // Those of unfinished withdrawals: two confirmed ones and the waiting one.
        #expect(try await Rows.count("\(old) AND finished_at IS NOT NULL") == 0)
        let unfinished = try await Rows.count("SELECT count(*) FROM withdrawals WHERE finished_at IS NULL AND \(isOld)")
        #expect(try await Rows.count(old) == 3 * unfinished)
        let young = try await Rows.count("SELECT count(*) FROM withdrawals WHERE NOT (\(isOld))")
        #expect(
            try await Rows.count("SELECT count(*) FROM withdrawal_steps WHERE holder = 'seats'") == young + unfinished
        )
        #expect(try await Rows.count("SELECT count(*) FROM withdrawals") == 7_300)
        // What a later round reads.
        try await database.execute("VACUUM ANALYZE withdrawal_steps")
        let plan = try await Plans.measured(
            PostgresClient.pruning("withdrawal_steps", where: WithdrawalStore.isForgettable, limit: 100)
        )
        #expect(!plan.contains("Seq Scan") && Plans.rows(of: plan) < 500, "\(plan)")
    }

    /// Buckets of a day: those of the last ten minutes are not read, whose windows are not over.
    @Test func fullBuckets_areFoundByTime() async throws {
        try await database.execute(
            """
            INSERT INTO allowances (key, tokens, at, refill)
            SELECT int8send(n), 1, now() - make_interval(secs => n), CASE WHEN n % 2 = 0 THEN 600 ELSE 86400 END
            FROM generate_series(1, 90000) n
            """
        )
        try await RateLimitStore().forgetFull(in: database)
        // Those of ten minutes, and of a day the odd ones.
        let left = try await Rows.count("SELECT count(*) FROM allowances")
        #expect((43_400...43_600).contains(left))
    }
}
