import Contracts
import FoundationEssentials
import Postgres

/// SQL of users.
struct PersonStore: Sendable {
    /// The columns of `Person.Columns`, of a table or alias `p`.
    static let columns: SQL = "p.account_id, p.nickname, p.image, p.role, p.withdrawn_at IS NOT NULL"

    func person(_ account: AccountID, in database: some Querying) async throws -> Person? {
        try await database.optional("SELECT \(Self.columns) FROM people p WHERE p.account_id = \(account)") {
            Person(try $0.decode(as: Person.Columns.self))
        }
    }

    /// Stores a profile, unless the user is withdrawn.
    func save(_ person: Person, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, nickname, image, role)
            VALUES (\(person.account), \(person.nickname), \(person.image), \(person.role?.rawValue))
            ON CONFLICT (account_id) DO UPDATE SET nickname = excluded.nickname, image = excluded.image,
                role = coalesce(excluded.role, people.role)
            WHERE people.withdrawn_at IS NULL
            """
        )
    }

    /// Locks a user's row until the transaction ends.
    ///
    /// - Throws: `WorkforceError.userNotFound` for an unknown or withdrawn user.
    func lock(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        let found = try await transaction.optional(
            "SELECT 1 FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR NO KEY UPDATE"
        ) { try $0.decode(Int32.self) }
        guard found != nil else { throw WorkforceError.userNotFound }
    }
}

extension PersonStore {
    /// Anonymizes a user, also an unknown one. Locks the row.
    func withdraw(_ account: AccountID, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO people (account_id, nickname, withdrawn_at) VALUES (\(account), '', \(now))
            ON CONFLICT (account_id) DO UPDATE SET nickname = '', image = NULL,
                withdrawn_at = coalesce(people.withdrawn_at, excluded.withdrawn_at)
            """
        )
        try await transaction.execute("DELETE FROM routines WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM failed_lookups WHERE account_id = \(account)")
    }
}

extension Person {
    typealias Columns = (AccountID, String, String?, String?, Bool)

    init(_ columns: Columns) {
        self.init(
            account: columns.0,
            nickname: columns.1,
            image: columns.2,
            role: columns.3.flatMap(Role.init),
            isWithdrawn: columns.4
        )
    }
}
