import Contracts
import FoundationEssentials
package import Postgres
import ServiceDatabase
import Values

/// The SQL statements of the table `people`.
package struct PersonStore: Sendable {
    package init() {}

    /// The columns of a `Person`, from a table or alias `p`.
    package static let columns: SQL =
        "p.account_id, p.app, p.public_id, p.nickname, p.image, p.introduction, p.region"

    func person(_ account: AccountID, in database: some Querying) async throws -> (person: Person, isWithdrawn: Bool)? {
        try await database.optional(
            "SELECT \(Self.columns), p.withdrawn_at IS NOT NULL FROM people p WHERE p.account_id = \(account)"
        ) { row in
            try row.decode { columns in (try Person(&columns), try columns.next()) }
        }
    }

    func people(_ accounts: [AccountID], in database: some Querying) async throws -> [Person] {
        try await database.all("SELECT \(Self.columns) FROM people p WHERE p.account_id = ANY(\(accounts))") {
            try $0.decode { try Person(&$0) }
        }
    }

    /// Stores a profile, unless the account is withdrawn. A nil region leaves the stored one unchanged.
    func save(_ person: Person, in database: some Querying) async throws {
        try await add(person, in: database)
        try await database.execute(
            """
            UPDATE people SET nickname = \(person.nickname), image = \(person.image),
                introduction = \(person.introduction), region = coalesce(\(person.region), region)
            WHERE account_id = \(person.account) AND withdrawn_at IS NULL
                AND (nickname, image, introduction, region) IS DISTINCT FROM (\(person.nickname)::text,
                    \(person.image)::text, \(person.introduction)::text, coalesce(\(person.region), region))
            """
        )
    }

    /// Keeps a person who is not known yet.
    ///
    /// Two requests may do so at once: with a single constraint in `ON CONFLICT`, the other one could fail for the second of
    /// them on the row of the first (PostgreSQL manual, "INSERT", `ON CONFLICT` clause).
    func add(_ person: Person, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, image, introduction, region)
            VALUES (\(person.account), \(person.app), \(person.publicID), \(person.nickname), \(person.image),
                \(person.introduction), \(person.region))
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// The account of a public id, if it is not withdrawn.
    func account(publicID: PublicID, of app: App, in database: some Querying) async throws -> AccountID? {
        try await database.optional(Self.account(publicID, of: app)) { try $0.decode(AccountID.self) }
    }

    /// Like `account`, but locks the row until the transaction ends.
    func lock(publicID: PublicID, of app: App, in transaction: PostgresTransaction) async throws -> AccountID? {
        try await transaction.optional("\(Self.account(publicID, of: app)) FOR SHARE") { try $0.decode(AccountID.self) }
    }

    private static func account(_ publicID: PublicID, of app: App) -> SQL {
        "SELECT account_id FROM people WHERE public_id = \(publicID) AND app = \(app) AND withdrawn_at IS NULL"
    }

    /// Locks an account until the transaction ends; nil if it is unknown or withdrawn.
    func lock(_ account: AccountID) -> Statement<Int?> {
        .optional("SELECT 1 FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR SHARE") {
            try $0.decode(Int.self)
        }
    }

    /// Anonymizes an account permanently and locks its row. An unknown account gets a row with an unused public id, so
    /// that late events do not restore it.
    func withdraw(_ account: AccountID, of app: App, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, withdrawn_at)
            VALUES (\(account), \(app), 'ffffffff' || lpad(to_hex(\(account)), 16, '0'), '', \(now))
            ON CONFLICT DO NOTHING
            """
        )
        let nickname: SQL = Sabotage.nameKept.isBuiltIn ? "nickname" : "''"
        try await transaction.execute(
            """
            UPDATE people SET nickname = \(nickname), image = NULL, introduction = NULL, region = NULL,
                withdrawn_at = coalesce(withdrawn_at, \(now))
            WHERE account_id = \(account)
            """
        )
    }
}

extension Person {
    /// Decodes `PersonStore.columns`.
    package init(_ columns: inout Columns) throws {
        self.init(
            account: try columns.next(),
            app: try columns.next(),
            publicID: try columns.next(),
            nickname: try columns.next(),
            image: try columns.next(),
            introduction: try columns.next(),
            region: try columns.next()
        )
    }
}
