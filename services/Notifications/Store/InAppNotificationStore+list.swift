import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension InAppNotificationStore {
    /// The columns of a `NotificationItem`.
    private static let columns: SQL = "id, kind, title, body, data, sender_id, created_at, read_at"

    /// The notifications of an account, newest first, one more than `query.limit`.
    func alarms(_ query: NotificationQuery, of account: AccountID, in database: some Querying) async throws
        -> [NotificationItem]
    {
        let kind: SQL = query.kind.map { "AND kind = \($0)" } ?? ""
        let before: SQL = query.before.map { "AND id < \($0)" } ?? ""
        let state: SQL = query.isRead.map { $0 ? "AND read_at IS NOT NULL" : "AND read_at IS NULL" } ?? ""
        return try await database.all(
            """
            SELECT \(Self.columns) FROM alarms WHERE account_id = \(account) \(before) \(kind) \(state)
            ORDER BY id DESC LIMIT \(query.limit + 1)
            """
        ) { try $0.decode { try NotificationItem(&$0) } }
    }

    /// Counted up to `NotificationLimits.unread`.
    func unread(of account: AccountID, in database: some Querying) async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM (
                SELECT FROM alarms WHERE account_id = \(account) AND read_at IS NULL LIMIT \(NotificationLimits.unread)
            ) unread
            """
        ) { try $0.decode(Int.self) }
    }

    /// A notification of an app, and its owner.
    func alarm(_ id: NotificationID, of app: App, in database: some Querying) async throws -> (
        NotificationItem, account: AccountID
    )? {
        try await database.optional(
            "SELECT \(Self.columns), account_id FROM alarms WHERE id = \(id) AND app = \(app)"
        ) { row in
            try row.decode { columns in (try NotificationItem(&columns), account: try columns.next()) }
        }
    }

    /// - Returns: The notification; nil when it belongs to another account or was read before.
    func read(_ id: NotificationID, of account: AccountID, at now: Date, in database: some Querying) async throws
        -> NotificationItem?
    {
        try await database.optional(
            """
            UPDATE alarms SET read_at = \(now) WHERE id = \(id) AND account_id = \(account) AND read_at IS NULL
            RETURNING \(Self.columns)
            """
        ) { try $0.decode { try NotificationItem(&$0) } }
    }

    func readAll(of account: AccountID, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE alarms SET read_at = \(now) WHERE account_id = \(account) AND read_at IS NULL"
        )
    }

    /// - Returns: Whether the account had this notification.
    func delete(_ id: NotificationID, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.execute("DELETE FROM alarms WHERE id = \(id) AND account_id = \(account)") == 1
    }

    func deleteAll(of account: AccountID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM alarms WHERE account_id = \(account)")
    }
}

extension NotificationItem {
    /// Reads the columns id, kind, title, body, data, sender, created_at, read_at.
    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            kind: try columns.next(),
            title: try columns.next(),
            body: try columns.next(),
            data: try columns.next(PostgresJSON<[String: String]>.self).value,
            sender: try columns.next(),
            at: try columns.next(),
            readAt: try columns.next()
        )
    }
}
