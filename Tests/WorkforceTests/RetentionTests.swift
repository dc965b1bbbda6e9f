import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import TestKit
import Testing
import Values

@testable import Workforce

/// Records of years: those whose use has ended go, and the others stay.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private var retention: Retention { Retention(database: TestDatabase.current.client, now: { .now }) }

    private func count(_ table: String, _ condition: SQL = "true") async throws -> Int {
        try await database.one("SELECT count(*) FROM \(identifier: table) WHERE \(condition)") {
            try $0.decode(Int.self)
        }
    }

    /// Accounts, the first half of them withdrawn.
    private func insertPeople(_ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, nickname, withdrawn_at)
            SELECT n, 'n', CASE WHEN n <= \(count) / 2 THEN now() END FROM generate_series(1, \(count)) n
            """
        )
    }

    /// A workplace that was deleted or abandoned a number of years ago.
    private func workplace(deleted: Double? = nil, abandoned: Double? = nil) async throws -> WorkplaceID {
        try await database.one(
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared, deleted_at, abandoned_at)
            SELECT 20, count(*)::text || 'w', 'c', true, now() - \(deleted) * interval '366 days',
                now() - \(abandoned) * interval '366 days'
            FROM workplaces RETURNING id
            """
        ) { try $0.decode(WorkplaceID.self) }
    }

    /// A worker who has parted some years ago, with a wage, a shift and a month.
    private func worker(
        _ account: AccountID,
        at workplace: WorkplaceID,
        parted years: Double,
        isListed: Bool
    ) async throws {
        try await database.execute(
            """
            WITH worker AS (
                INSERT INTO workers (workplace_id, account_id, is_accepted, parted_at, is_listed)
                VALUES (\(workplace), \(account), true, now() - \(years) * interval '366 days', \(isListed)) RETURNING id
            ), wage AS (
                INSERT INTO wages SELECT id, '2020-01-01', 's', 'c', 1, NULL, NULL, NULL, false, false, false, false,
                    false, false, false, 'm', 1, true, false FROM worker
            ), month AS (
                INSERT INTO months SELECT id, '2020-01-01', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', 0,
                    '' FROM worker
            )
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, rest_minutes, hourly_rate, has_night_allowance,
                has_holiday_allowance)
            SELECT id, \(workplace), '2020-01-02', '2020-01-02T03:00:00Z', 0, 1, false, false FROM worker
            """
        )
    }

    @Test func recordsOfWithdrawnAccounts_areKeptForThreeYears_orWhileListed() async throws {
        try await insertPeople(20)
        let (open, closed) = (try await workplace(), try await workplace(deleted: 4))
        let (abandoned, empty) = (try await workplace(abandoned: 4), try await workplace(deleted: 4))
        // Accounts up to 10 are withdrawn.
        try await worker(1, at: open, parted: 4, isListed: false)
        try await worker(2, at: empty, parted: 4, isListed: true)
        try await worker(3, at: abandoned, parted: 4, isListed: true)
        let gone = ["1", "2", "3"]
        try await worker(4, at: open, parted: 4, isListed: true)
        try await worker(5, at: open, parted: 2.9, isListed: false)
        // They read their own payslips.
        try await worker(11, at: open, parted: 4, isListed: false)
        try await worker(12, at: closed, parted: 4, isListed: false)
        for _ in 0..<2 { try await retention.deleteOld() }
        let left = try await database.all("SELECT account_id::text FROM workers k ORDER BY k.account_id") {
            try $0.decode(String.self)
        }
        #expect(left == ["4", "5", "11", "12"] && Set(left).isDisjoint(with: gone))
        for table in ["wages", "months", "shifts"] { #expect(try await count(table) == 4, "\(table)") }
        let workplaces = try await database.all("SELECT id FROM workplaces ORDER BY id") {
            try $0.decode(WorkplaceID.self)
        }
        #expect(workplaces == [open, closed])
    }

    /// Each batch has its transaction, and reads little more than its rows.
    @Test func manyRecords_areDeletedInBatches() async throws {
        try await insertPeople(4_000)
        let place = try await workplace()
        try await database.batch([
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted, parted_at, is_listed)
            SELECT \(place), n, true, now() - make_interval(days => n), false FROM generate_series(1, 4000) n
            """,
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared, deleted_at)
            SELECT n, 'w', 'c', true, now() - make_interval(days => n) FROM generate_series(1, 4000) n
            """,
        ])
        try await TestDatabase.current.analyze()
        let old = Date.now - 3 * 366 * 86_400
        let plans = [
            try await Plans.measured(RetentionStore.deletionOfWorkers(partedBefore: old, limit: 10)),
            try await Plans.measured(RetentionStore.deletionOfWorkplaces(endedBefore: old, limit: 10)),
        ]
        for plan in plans {
            #expect(!plan.contains("Seq Scan on work") && Plans.rows(of: plan) < 4_500, "\(plan)")
        }
        try await retention.deleteOld()
        // The accounts from 1,098 to 2,000 have withdrawn.
        #expect(try await count("workers", "account_id BETWEEN 1098 AND 2000") == 0)
        #expect(try await count("workers") == 4_000 - 903)
        #expect(try await count("workplaces") == 1 + 1_097)
    }

    /// Two years of shifts with a check list of five tasks, all completed.
    @Test func completions_areKeptForAYear() async throws {
        try await insertPeople(20)
        try await worker(20, at: workplace(), parted: 0, isListed: true)
        try await database.batch([
            "INSERT INTO routines (account_id, name) VALUES (20, 'r')",
            """
            INSERT INTO routine_tasks (routine_id, content, order_index)
            SELECT id, 't', n FROM routines, generate_series(1, 5) n
            """,
            """
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, rest_minutes, hourly_rate, has_night_allowance,
                has_holiday_allowance)
            SELECT id, workplace_id, day, (day + time '12:00') AT TIME ZONE 'Asia/Seoul', 0, 1, false, false
            FROM workers, generate_series(0, 729) n, LATERAL (SELECT (now() AT TIME ZONE 'Asia/Seoul')::date - n AS day) d
            """,
            "INSERT INTO shift_routines (shift_id, routine_id) SELECT s.id, r.id FROM shifts s, routines r",
            """
            INSERT INTO completions (shift_id, task_id, completed_at)
            SELECT s.id, t.id, s.starts_at + interval '1 hour' FROM shifts s, routine_tasks t WHERE s.date > '2021-01-01'
            """,
        ])
        // Completed long before its shift.
        let ahead: SQL = "(SELECT id FROM shifts WHERE date = (now() AT TIME ZONE 'Asia/Seoul')::date - 100)"
        try await database.execute(
            "UPDATE completions SET completed_at = now() - interval '400 days' WHERE shift_id = \(ahead)"
        )
        try await TestDatabase.current.analyze()
        let yearAgo = Date.now - 366 * 86_400
        let plan = try await Plans.measured(
            RetentionStore.deletionOfCompletions(
                before: yearAgo,
                ofShiftsBefore: SeoulTime.date(of: yearAgo),
                limit: 100
            )
        )
        #expect(!plan.contains("Seq Scan on completions") && Plans.rows(of: plan) < 3_000, "\(plan)")
        var store = RetentionStore(database: database)
        store.batch = 333
        try await store.deleteCompletions(before: yearAgo, ofShiftsBefore: SeoulTime.date(of: yearAgo))
        #expect(try await count("completions") == 367 * 5)
        // The shift of 2020 has no completions, and keeps its link.
        #expect(try await count("shift_routines") == 367 + 1)
        #expect(try await count("completions", "shift_id = \(ahead)") == 5)
        #expect(try await count("shifts") == 731)
    }

    @Test func expiredCodesAndAttempts_areDeleted() async throws {
        try await insertPeople(20)
        try await database.batch([
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared)
            SELECT 20, 'w' || n, 'c', true FROM generate_series(1, 8000) n
            """,
            """
            INSERT INTO invite_codes (code, workplace_id, expires_at)
            SELECT 'C' || id, id, now() + CASE WHEN id % 80 = 0 THEN -1 ELSE 1 END * interval '1 minute' FROM workplaces
            """,
            """
            INSERT INTO failed_lookups (account_id, at)
            SELECT 20, now() - make_interval(secs => n / 20) FROM generate_series(1, 14000) n
            """,
        ])
        try await TestDatabase.current.analyze()
        for statement in [
            PostgresClient.pruning("invite_codes", where: "expires_at < now()", limit: 100),
            PostgresClient.pruning("failed_lookups", where: "at < now() - interval '10 minutes'", limit: 100),
        ] {
            let plan = try await Plans.measured(statement)
            #expect(!plan.contains("Seq Scan") && Plans.rows(of: plan) < 1_000, "\(plan)")
        }
        try await retention.deleteExpired()
        #expect(try await count("invite_codes") == 7_900)
        #expect((11_000...12_100).contains(try await count("failed_lookups")))
    }
}
