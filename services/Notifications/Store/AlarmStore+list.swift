import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension AlarmStore {
    /// What a `Notice` is read from.
    private static let columns: SQL = "id, kind, title, body, data, sender_id, created_at, read_at"

    /// Somebody's alarms, the latest first, one more than asked for.
    func alarms(_ query: NoticeQuery, of account: Int64, in database: some Querying) async throws -> [Notice] {
        let kind: SQL = query.kind.map { "AND kind = \($0)" } ?? ""
        let before: SQL = query.before.map { "AND id < \($0)" } ?? ""
        let state: SQL = query.isRead.map { $0 ? "AND read_at IS NOT NULL" : "AND read_at IS NULL" } ?? ""
        return try await database.all(
            """
            SELECT \(Self.columns) FROM alarms WHERE account_id = \(account) \(before) \(kind) \(state)
            ORDER BY id DESC LIMIT \(query.limit + 1)
            """
        ) { try $0.decode { try Notice(&$0) } }
    }

    /// Counted up to `NoticeLimits.unread`.
    func unread(of account: Int64, in database: some Querying) async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM (
                SELECT FROM alarms WHERE account_id = \(account) AND read_at IS NULL LIMIT \(NoticeLimits.unread)
            ) unread
            """
        ) { try $0.decode(Int.self) }
    }

    /// An alarm of an app, and whose it is.
    func alarm(_ id: Int64, of app: App, in database: some Querying) async throws -> (Notice, account: Int64)? {
        try await database.optional(
            "SELECT \(Self.columns), account_id FROM alarms WHERE id = \(id) AND app = \(app)"
        ) { row in
            try row.decode { columns in (try Notice(&columns), account: try columns.next()) }
        }
    }

    /// - Returns: the alarm; nil when it is not theirs, or read before.
    func read(_ id: Int64, of account: Int64, at now: Date, in database: some Querying) async throws -> Notice? {
        try await database.optional(
            """
            UPDATE alarms SET read_at = \(now) WHERE id = \(id) AND account_id = \(account) AND read_at IS NULL
            RETURNING \(Self.columns)
            """
        ) { try $0.decode { try Notice(&$0) } }
    }

    func readAll(of account: Int64, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE alarms SET read_at = \(now) WHERE account_id = \(account) AND read_at IS NULL"
        )
    }

    /// - Returns: whether there was one of theirs.
    func delete(_ id: Int64, of account: Int64, in database: some Querying) async throws -> Bool {
        try await database.execute("DELETE FROM alarms WHERE id = \(id) AND account_id = \(account)") == 1
    }

    func deleteAll(of account: Int64, in database: some Querying) async throws {
        try await database.execute("DELETE FROM alarms WHERE account_id = \(account)")
    }
}

extension Notice {
    /// Reads id, kind, title, body, data, sender, when it came, and when it was read.
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
