import Contracts
import People
import Postgres

/// Whom somebody wants to hear nothing more of, in Anlaka: neither can write to the other, nor open a room that was not
/// there. What was said stays.
struct Blocks: Sendable {
    let database: PostgresClient
    let people: People
    private let store = BlockStore()

    init(database: PostgresClient, people: People) {
        self.database = database
        self.people = people
    }

    /// Those whom somebody can have blocked at most are listed at once.
    static let listLimit = 1000

    /// - Throws: `ChatError.personNotFound`, `.rule` for oneself; `PersonUnknown`.
    func block(_ publicID: String, by account: Int64) async throws {
        try await people.person(account)
        let other = try await people.other(publicID, than: account, field: "user_id")
        try await database.transaction { transaction in
            try await people.lock(account, with: other, in: transaction)
            try await store.insert(account, blocks: other, in: transaction)
        }
    }

    /// Takes a block back; nothing happens when there is none.
    func unblock(_ publicID: String, by account: Int64) async throws {
        try await database.transaction { try await store.delete(account, blocks: publicID, in: $0) }
    }

    /// Whom somebody has blocked, the latest first.
    func list(of account: Int64) async throws -> [Person] {
        try await store.blocked(by: account, limit: Self.listLimit, in: database)
    }
}
