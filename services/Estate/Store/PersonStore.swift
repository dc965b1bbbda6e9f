import FoundationEssentials
import Postgres

/// All SQL of people.
struct PersonStore: Sendable {
    /// The columns of `Person.Columns`, of a table or alias `p`.
    static let columns: SQL = "p.account_id, p.public_id, p.nickname, p.image, p.introduction"

    func person(_ account: Int64, in database: some Querying) async throws -> (person: Person, isWithdrawn: Bool)? {
        try await database.optional(
            "SELECT \(Self.columns), p.withdrawn_at IS NOT NULL FROM people p WHERE p.account_id = \(account)"
        ) { row in
            let (id, publicID, nickname, image, introduction, isWithdrawn) = try row.decode(
                as: (Int64, String, String, String?, String?, Bool).self
            )
            return (Person((id, publicID, nickname, image, introduction)), isWithdrawn)
        }
    }

    /// Keeps somebody, unless they have left.
    func save(_ person: Person, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, public_id, nickname, image, introduction)
            VALUES (\(person.account), \(person.publicID), \(person.nickname), \(person.image), \(person.introduction))
            ON CONFLICT (account_id) DO UPDATE SET nickname = excluded.nickname, image = excluded.image,
                introduction = excluded.introduction
            WHERE people.withdrawn_at IS NULL
            """
        )
    }

    /// Who is called by a public id and has not left; they do not leave before the transaction ends.
    func lock(publicID: String, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            "SELECT account_id FROM people WHERE public_id = \(publicID) AND withdrawn_at IS NULL FOR SHARE"
        ) { try $0.decode(Int64.self) }
    }

    /// Whether somebody is there and has not left; they do not leave before the transaction ends.
    func lock(_ account: Int64, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            "SELECT 1 FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR SHARE"
        ) { try $0.decode(Int.self) } != nil
    }

    /// Makes somebody anonymous for good. Whoever has not been heard of gets a row under an id that nobody is called by, so
    /// that what arrives late does not make them anew. Locks their row.
    func withdraw(_ account: Int64, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO people (account_id, public_id, nickname, withdrawn_at)
            VALUES (\(account), 'ffffffff' || lpad(to_hex(\(account)), 16, '0'), '', \(now))
            ON CONFLICT (account_id) DO UPDATE SET nickname = '', image = NULL, introduction = NULL,
                withdrawn_at = coalesce(people.withdrawn_at, excluded.withdrawn_at)
            """
        )
    }
}

extension Person {
    typealias Columns = (Int64, String, String, String?, String?)

    init(_ columns: Columns) {
        self.init(
            account: columns.0,
            publicID: columns.1,
            nickname: columns.2,
            image: columns.3,
            introduction: columns.4
        )
    }
}
