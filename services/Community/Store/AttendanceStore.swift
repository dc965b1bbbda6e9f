import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of the attendance event.
struct AttendanceStore: Sendable {
    // MARK: Attendances

    /// - Returns: Whether the account had not attended on that day.
    func insert(_ account: AccountID, on day: CivilDate, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            """
            INSERT INTO attendances (account_id, day) VALUES (\(account), \(day))
            ON CONFLICT DO NOTHING RETURNING account_id
            """
        ) { try $0.decode(AccountID.self) } != nil
    }

    func record(
        of account: AccountID,
        on day: CivilDate,
        in transaction: PostgresTransaction
    ) async throws -> Attendance.Record {
        let (days, isToday) = try await transaction.one(
            """
            SELECT count(*) + coalesce((SELECT days FROM attendance_totals WHERE account_id = \(account)), 0),
                coalesce(bool_or(day = \(day)), false)
            FROM attendances WHERE account_id = \(account)
            """
        ) { try $0.decode(as: (Int, Bool).self) }
        return Attendance.Record(days: days, isToday: isToday)
    }

    /// Replaces attendances before a day by their number for each account.
    func fold(before day: CivilDate, inBatchesOf size: Int, in database: PostgresClient) async throws {
        try await database.prune(inBatchesOf: size) { Self.folding(before: day, limit: $0) }
    }

    /// The statement of `fold`; a test checks its plan.
    static func folding(before day: CivilDate, limit: Int) -> SQL {
        """
        WITH old AS (
            DELETE FROM attendances WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM attendances WHERE day < \(day) ORDER BY day LIMIT \(limit) FOR UPDATE SKIP LOCKED))
            RETURNING account_id
        ), totals AS (
            INSERT INTO attendance_totals AS t (account_id, days)
            SELECT account_id, count(*) FROM old GROUP BY account_id ORDER BY account_id
            ON CONFLICT (account_id) DO UPDATE SET days = t.days + excluded.days
        )
        SELECT FROM old
        """
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM attendances WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM attendance_totals WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM attendance_pages WHERE account_id = \(account)")
    }

    // MARK: Pages

    func insertPage(
        _ hash: [UInt8],
        of account: AccountID,
        until end: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            "INSERT INTO attendance_pages (token_hash, account_id, expires_at) VALUES (\(hash), \(account), \(end))"
        )
    }

    /// The account of a valid page.
    func account(ofPage hash: [UInt8], at now: Date, in database: some Querying) async throws -> AccountID? {
        try await database.optional(
            "SELECT account_id FROM attendance_pages WHERE token_hash = \(hash) AND expires_at > \(now)"
        ) { try $0.decode(AccountID.self) }
    }

    /// Uses up a page.
    ///
    /// - Returns: Whether it was valid.
    func deletePage(_ hash: [UInt8], at now: Date, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            "DELETE FROM attendance_pages WHERE token_hash = \(hash) AND expires_at > \(now) RETURNING account_id"
        ) { try $0.decode(AccountID.self) } != nil
    }

    /// Deletes up to 100 expired pages, except those that concurrent transactions delete.
    func deletePages(before now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            DELETE FROM attendance_pages WHERE token_hash IN (
                SELECT token_hash FROM attendance_pages WHERE expires_at <= \(now)
                ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
            """
        )
    }
}
