import Postgres
import PostgresServer
import StackKit

/// The rows of `ScaleBench`, written without triggers and foreign keys, for which the data of other tables would have
/// to be as large.
enum ScaleDataset {
    static let events = 1_000_000
    /// Millions of payments.
    static let millions = 10

    static func fill(_ scripts: [SQL], _ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            try await database.transaction { transaction in
                try await transaction.execute("SET LOCAL session_replication_role = replica")
                for script in scripts { try await transaction.execute(script) }
            }
        }
    }

    /// Brings statistics and visibility maps up to date, as autovacuum does in time.
    static func vacuum(_ server: PostgresServer) async throws {
        _ = try await server.withClient(of: Database.name) { try await $0.execute("VACUUM ANALYZE") }
    }

    /// Ten routines on each of 300 shifts of 1,000 workers; the reminders are due from a year ago to a month ahead.
    static let links: [SQL] = [
        """
        INSERT INTO workforce.routines (account_id, name, alarm_minute)
        SELECT account_id, '할 일 ' || n, 60 * n FROM workforce.people CROSS JOIN generate_series(1, 10) n
        WHERE role = 'ROLE_WORKER'
        """,
        """
        INSERT INTO workforce.shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
            has_night_allowance, has_holiday_allowance)
        SELECT w.id, w.workplace_id, day, (day + time '09:00') AT TIME ZONE 'Asia/Seoul',
            (day + time '15:00') AT TIME ZONE 'Asia/Seoul', 30, 10320, true, true
        FROM workforce.workers w JOIN workforce.people p USING (account_id)
            CROSS JOIN (SELECT current_date - 365 + n * 395 / 300 FROM generate_series(0, 299) n) AS days(day)
        WHERE p.role = 'ROLE_WORKER'
        """,
        """
        INSERT INTO workforce.shift_routines (shift_id, routine_id, due_at)
        SELECT s.id, r.id, workforce.routine_due_at(s.date, r.alarm_minute)
        FROM workforce.shifts s JOIN workforce.workers w ON w.id = s.worker_id
            JOIN workforce.routines r ON r.account_id = w.account_id
        """,
    ]

    /// Two million likes of 200,000 listings within 30 days.
    static let likes: [SQL] = [
        """
        INSERT INTO estate.likes (listing_id, account_id, created_at)
        SELECT (SELECT min(id) FROM estate.listings) + n % 200000, 1 + n / 200000,
            now() - n % 2592000 * interval '1 second'
        FROM generate_series(0, 1999999) n
        """
    ]

    /// Events for two subscribers that have not answered yet.
    static let waiting: [SQL] = [
        """
        INSERT INTO payments.outbox (name, key, body)
        SELECT 'payments.bench', (n % 50000)::text, '{}' FROM generate_series(1, \(events)) n
        """,
        """
        INSERT INTO payments.outbox_deliveries (subscriber, event, key)
        SELECT subscriber, id, key FROM payments.outbox
            CROSS JOIN (VALUES ('estate'), ('notifications')) AS subscribers(subscriber)
        """,
    ]

    /// A million payments of last year, each with a payment and a sale in the ledger.
    static func payments(_ million: Int) -> [SQL] {
        let (first, last) = ((million - 1) * 1_000_000 + 1, million * 1_000_000)
        return [
            """
            INSERT INTO payments.payments (imp_uid, public_id, merchant_uid, order_id, status, currency, amount, paid, sold,
                paid_at, verdict, decided_at, receipt, created_at)
            SELECT 'imp_' || lpad(n::text, 12, '0'), lpad(to_hex(n), 24, '0'), 'order_' || n, n, 'paid', 'KRW', 100000,
                100000, 100000, at, 'confirmed', at, '{}', at
            FROM generate_series(\(first), \(last)) n
                CROSS JOIN LATERAL (SELECT now() - interval '30 days' - n * interval '3 seconds' AS at) times
            """,
            """
            INSERT INTO payments.ledger_transactions (id, imp_uid, kind, currency, at) OVERRIDING SYSTEM VALUE
            SELECT 2 * n + sale, 'imp_' || lpad(n::text, 12, '0'), CASE sale WHEN 0 THEN 'payment' ELSE 'sale' END, 'KRW',
                now() - interval '30 days' - n * interval '3 seconds'
            FROM generate_series(\(first), \(last)) n CROSS JOIN generate_series(0, 1) sale
            """,
            """
            INSERT INTO payments.ledger_entries (transaction_id, account, amount)
            SELECT 2 * n + sale, account, amount
            FROM generate_series(\(first), \(last)) n CROSS JOIN (VALUES
                (0, 'clearing', 100000), (0, 'unallocated', -100000), (1, 'unallocated', 100000), (1, 'sales', -100000)
            ) AS entries(sale, account, amount)
            """,
        ]
    }
}
