import Contracts
import Postgres

/// SQL of user profiles as seen by others.
struct UserDirectoryStore: Sendable {
    func person(_ publicID: PublicID, app: App, in database: some Querying) async throws -> Account? {
        try await database.optional(
            """
            SELECT \(AccountStore.columns) FROM accounts a
            WHERE a.public_id = \(publicID) AND a.app = \(app.rawValue) AND a.withdrawn_at IS NULL
            """,
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }

    /// An account of any app; nil for an unknown or withdrawn one.
    func person(_ account: AccountID, in database: some Querying) async throws -> Account? {
        try await database.optional(
            "SELECT \(AccountStore.columns) FROM accounts a WHERE a.id = \(account) AND a.withdrawn_at IS NULL",
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }

    /// The region key of a With Suhyeon account.
    func region(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.optional("SELECT region FROM companions WHERE account_id = \(account)") {
            try $0.decode(String.self)
        }
    }

    func people(_ accounts: [AccountID], app: App, in database: some Querying) async throws -> [Account] {
        try await database.all(
            """
            SELECT \(AccountStore.columns) FROM accounts a
            WHERE a.id = ANY(\(accounts)) AND a.app = \(app.rawValue) AND a.withdrawn_at IS NULL
            """,
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }

    /// The first half reads the name index only up to the limit; the second, by parts of names, runs only if the first
    /// has not filled the result.
    func search(_ text: String, app: App, limit: Int, in database: some Querying) async throws -> [Account] {
        try await database.all(
            """
            (SELECT \(AccountStore.columns) FROM accounts a
             WHERE a.app = \(app.rawValue) AND a.withdrawn_at IS NULL
               AND lower(a.nickname) COLLATE "C" >= lower(\(text)) COLLATE "C"
               AND lower(a.nickname) COLLATE "C" < (lower(\(text)) || chr(1114111)) COLLATE "C"
             ORDER BY lower(a.nickname) COLLATE "C", a.id LIMIT \(limit))
            UNION ALL
            (SELECT \(AccountStore.columns) FROM accounts a
             WHERE a.app = \(app.rawValue) AND a.withdrawn_at IS NULL
               AND name_parts(lower(a.nickname)) @> name_parts(lower(\(text)))
               AND strpos(lower(a.nickname), lower(\(text))) > 1
             LIMIT \(limit))
            LIMIT \(limit)
            """,
            { Account(try $0.decode(as: Account.Columns.self)) }
        )
    }
}
