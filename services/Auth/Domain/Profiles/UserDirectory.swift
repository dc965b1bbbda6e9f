import Contracts
import Postgres

/// User profiles as seen by other users of the app.
struct UserDirectory: Sendable {
    let database: PostgresClient
    let store = UserDirectoryStore()

    static let searchLimit = 50
    /// Longer than any name.
    private static let queryLimit = 100

    /// - Throws: `AccountError.personUnknown`, also for a withdrawn account.
    func person(_ publicID: PublicID, app: App) async throws -> Account {
        guard let account = try await store.person(publicID, app: app, in: database) else {
            throw AccountError.personUnknown
        }
        return account
    }

    /// An account of any app; nil for an unknown or withdrawn one.
    func person(_ account: AccountID) async throws -> Account? {
        try await store.person(account, in: database)
    }

    /// The region key of a With Suhyeon account; nil in other apps.
    func region(of account: Account) async throws -> String? {
        account.app == .withsuhyeon ? try await store.region(of: account.id, in: database) : nil
    }

    /// Users whose names begin with a text, in the order of their names, followed by users whose names contain it;
    /// case-insensitive, 50 at most.
    func search(_ text: String, app: App) async throws -> [Account] {
        guard text.unicodeScalars.count <= Self.queryLimit else { return [] }
        return try await store.search(text, app: app, limit: Self.searchLimit, in: database)
    }

    /// The existing accounts among the given ids, in the given order.
    func people(_ accounts: [AccountID], app: App) async throws -> [Account] {
        guard !accounts.isEmpty else { return [] }
        let found = try await store.people(accounts, app: app, in: database)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return accounts.compactMap { byID[$0] }
    }
}
