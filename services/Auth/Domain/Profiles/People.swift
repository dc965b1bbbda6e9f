import Contracts
import Postgres

/// People as others in their app see them.
struct People: Sendable {
    let database: PostgresClient
    let store = PeopleStore()

    static let searchLimit = 50
    /// Longer than any name.
    private static let queryLimit = 100

    /// - Parameter publicID: whatever came in a path.
    /// - Throws: `AccountError.personUnknown`, also for who has left.
    func person(_ publicID: String, app: App) async throws -> Account {
        guard PublicID.isOne(publicID), let account = try await store.person(publicID, app: app, in: database) else {
            throw AccountError.personUnknown
        }
        return account
    }

    /// Somebody of any app; nil for who is not there, or has left.
    func person(_ account: Int64) async throws -> Account? {
        try await store.person(account, in: database)
    }

    /// The key of the region that somebody of With Suhyeon is in; nil in other apps.
    func region(of account: Account) async throws -> String? {
        account.app == .withsuhyeon ? try await store.region(of: account.id, in: database) : nil
    }

    /// People whose names begin with a text, in the order of their names, and then people whose names have it elsewhere; in
    /// any case of letters, 50 at most.
    func search(_ text: String, app: App) async throws -> [Account] {
        guard text.count <= Self.queryLimit else { return [] }
        return try await store.search(text, app: app, limit: Self.searchLimit, in: database)
    }

    /// Those of some accounts that are there, in the order asked for.
    func people(_ accounts: [Int64], app: App) async throws -> [Account] {
        guard !accounts.isEmpty else { return [] }
        let found = try await store.people(accounts, app: app, in: database)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return accounts.compactMap { byID[$0] }
    }
}
