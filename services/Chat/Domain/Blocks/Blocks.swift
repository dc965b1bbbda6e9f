import Contracts
import Postgres
import Profiles

/// User blocks of Anlaka. While a block exists, neither user can write to the other or open a new room. Existing
/// messages stay readable.
struct Blocks: Sendable {
    let database: PostgresClient
    let people: People
    private let store = BlockStore()

    /// Maximum length of a list.
    static let listLimit = 1000

    /// - Throws: `ChatError.personNotFound`, `.rule` for oneself; `PersonUnknown`.
    func block(_ publicID: PublicID, by account: AccountID) async throws {
        try await people.person(account)
        let other = try await people.other(publicID, than: account, field: "user_id")
        try await database.transaction(key: "account \(other)") { transaction in
            try people.lock(account, with: other, in: transaction)
            try await store.insert(account, blocks: other, in: transaction)
        }
    }

    /// Removes a block, if there is one.
    func unblock(_ publicID: PublicID, by account: AccountID) async throws {
        try await database.transaction { try await store.delete(account, blocks: publicID, in: $0) }
    }

    /// The users whom an account has blocked, newest block first.
    func list(of account: AccountID) async throws -> [Person] {
        try await store.blocked(by: account, limit: Self.listLimit, in: database)
    }
}
