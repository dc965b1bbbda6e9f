import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of announcements and readers.
struct AnnouncementStore: Sendable {
    /// The columns of a `NotificationItem`, from `visible`.
    private static let columns: SQL =
        """
        a.id, \(PushKind.announcement)::text, a.title, coalesce(a.content, ''), '{}'::jsonb, NULL::bigint, a.sent_at,
        \(readAt)
        """
    private static let readAt: SQL = "coalesce(m.read_at, CASE WHEN a.id <= r.read_through THEN r.read_at END)"

    /// The announcements for a reader, without deleted ones.
    private static func visible(to reader: Reader) -> SQL {
        """
        announcements a LEFT JOIN announcement_readers r ON r.account_id = \(reader.account)
            LEFT JOIN announcement_marks m ON m.account_id = \(reader.account) AND m.announcement_id = a.id
        WHERE a.app = \(reader.app) AND a.id > coalesce(greatest(r.begins_after, r.deleted_through), 0)
            AND m.deleted_at IS NULL
        """
    }

    /// Newest first, one more than `query.limit`. Empty for a kind other than that of announcements.
    func announcements(
        _ query: NotificationQuery,
        for reader: Reader,
        in database: some Querying
    ) async throws -> [NotificationItem] {
        guard query.kind == nil || query.kind == PushKind.announcement else { return [] }
        let before: SQL = query.before.map { "AND a.id < \($0)" } ?? ""
        let state: SQL = query.isRead.map { "AND (\(Self.readAt) IS NOT NULL) = \($0)" } ?? ""
        return try await database.all(
            """
            SELECT \(Self.columns) FROM \(Self.visible(to: reader)) \(before) \(state)
            ORDER BY a.id DESC LIMIT \(query.limit + 1)
            """
        ) { try $0.decode { try NotificationItem(&$0) } }
    }

    /// Counted up to `NotificationLimits.unread`.
    func unread(of reader: Reader, in database: some Querying) async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM (
                SELECT FROM \(Self.visible(to: reader)) AND \(Self.readAt) IS NULL LIMIT \(NotificationLimits.unread)
            ) unread
            """
        ) { try $0.decode(Int.self) }
    }

    func announcement(_ id: NotificationID, for reader: Reader, in database: some Querying) async throws
        -> NotificationItem?
    {
        try await database.optional("SELECT \(Self.columns) FROM \(Self.visible(to: reader)) AND a.id = \(id)") {
            try $0.decode { try NotificationItem(&$0) }
        }
    }

    // MARK: Marks

    /// - Returns: The time of the first reading.
    func read(_ id: NotificationID, by account: AccountID, at now: Date, in database: some Querying) async throws
        -> Date
    {
        try await database.one(
            """
            INSERT INTO announcement_marks AS m (account_id, announcement_id, read_at) VALUES (\(account), \(id), \(now))
            ON CONFLICT (account_id, announcement_id) DO UPDATE SET read_at = coalesce(m.read_at, excluded.read_at)
            RETURNING read_at
            """
        ) { try $0.decode(Date.self) }
    }

    func delete(_ id: NotificationID, by account: AccountID, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO announcement_marks AS m (account_id, announcement_id, deleted_at) VALUES (\(account), \(id), \(now))
            ON CONFLICT (account_id, announcement_id)
                DO UPDATE SET deleted_at = coalesce(m.deleted_at, excluded.deleted_at)
            """
        )
    }

    func readAll(by reader: Reader, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO announcement_readers AS r (account_id, read_through, read_at)
            SELECT \(reader.account), max(id), \(now) FROM announcements WHERE app = \(reader.app) HAVING max(id) > 0
            ON CONFLICT (account_id) DO UPDATE SET read_through = excluded.read_through, read_at = excluded.read_at
            WHERE r.read_through < excluded.read_through
            """
        )
    }

    func deleteAll(by reader: Reader, in transaction: PostgresTransaction) async throws {
        try await transaction.run([
            .execute(
                """
                INSERT INTO announcement_readers AS r (account_id, deleted_through)
                SELECT \(reader.account), max(id) FROM announcements WHERE app = \(reader.app) HAVING max(id) > 0
                ON CONFLICT (account_id)
                    DO UPDATE SET deleted_through = greatest(r.deleted_through, excluded.deleted_through)
                """
            ),
            .execute(
                """
                DELETE FROM announcement_marks m USING announcement_readers r
                WHERE m.account_id = \(reader.account) AND r.account_id = m.account_id
                    AND m.announcement_id <= r.deleted_through
                """
            ),
        ])
    }

    // MARK: Accounts

    /// Hides all existing announcements from a new account.
    func welcome(_ reader: Reader, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO announcement_readers AS r (account_id, begins_after)
            SELECT \(reader.account), max(id) FROM announcements WHERE app = \(reader.app) HAVING max(id) > 0
            ON CONFLICT (account_id) DO UPDATE SET begins_after = greatest(r.begins_after, excluded.begins_after)
            """
        )
    }

    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.run([
            .execute("DELETE FROM announcement_marks WHERE account_id = \(account)"),
            .execute("DELETE FROM announcement_readers WHERE account_id = \(account)"),
            .execute("UPDATE announcements SET author_id = NULL WHERE author_id = \(account)"),
        ])
    }
}
