package import Contracts
package import FoundationEssentials
package import Postgres

/// A read model of user profiles in the service's own schema. It is updated by auth's events; a profile whose event has
/// not arrived yet is requested from auth.
package struct People: Sendable {
    private let database: PostgresClient
    /// Requests a profile from auth; nil for an unknown or withdrawn account.
    private let fetch: @Sendable (AccountID) async throws -> Person?
    /// Requests the account of a public id from auth; nil for an unknown id.
    private let lookUp: @Sendable (PublicID, App) async throws -> AccountID?
    private let store = PersonStore()

    package init(
        database: PostgresClient,
        fetch: @escaping @Sendable (AccountID) async throws -> Person?,
        lookUp: @escaping @Sendable (PublicID, App) async throws -> AccountID? = { _, _ in nil }
    ) {
        self.database = database
        self.fetch = fetch
        self.lookUp = lookUp
    }

    /// The migration that creates the table, with a version number of the service.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "people", sql: PackageResources.people_sql)
    }

    /// The profile of an account.
    ///
    /// - Throws: `PersonUnknown`.
    @discardableResult
    package func person(_ account: AccountID) async throws -> Person {
        if let person = try await stored(account) { return person }
        guard let person = try await fetch(account) else { throw PersonUnknown() }
        // An event that was handled meanwhile is newer than the response of auth.
        try await store.add(person, in: database)
        return try await stored(account) ?? person
    }

    /// - Throws: `PersonUnknown` for an account that was withdrawn.
    private func stored(_ account: AccountID) async throws -> Person? {
        guard let (person, isWithdrawn) = try await store.person(account, in: database) else { return nil }
        guard !isWithdrawn else { throw PersonUnknown() }
        return person
    }

    /// The locally known profiles of some accounts, including withdrawn ones, by account.
    package func known(_ accounts: [AccountID]) async throws -> [AccountID: Person] {
        let people = try await store.people(accounts, in: database)
        return Dictionary(people.map { ($0.account, $0) }) { first, _ in first }
    }

    /// The account of a public id in an app; nil for an unknown id or a withdrawn account.
    package func account(publicID: PublicID, of app: App) async throws -> AccountID? {
        if let account = try await store.account(publicID: publicID, of: app, in: database) { return account }
        guard let account = try await lookUp(publicID, app) else { return nil }
        do {
            return try await person(account).account
        } catch is PersonUnknown {
            return nil
        }
    }

    /// The app of a locally known account, including withdrawn ones; nil for others.
    package func app(of account: AccountID) async throws -> App? {
        try await store.person(account, in: database)?.person.app
    }

    /// Stores a profile received from auth, unless the account is withdrawn.
    package func save(_ person: Person, in transaction: PostgresTransaction) async throws {
        try await store.save(person, in: transaction)
    }

    /// Anonymizes an account permanently, even if it was unknown before.
    package func withdraw(
        _ account: AccountID,
        of app: App,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await store.withdraw(account, of: app, at: now, in: transaction)
    }

    /// Locks an account that is not withdrawn, so that it cannot be withdrawn before the transaction ends. It is locked
    /// together with the next statement.
    ///
    /// - Parameter failure: What the next statement throws for an account that is unknown or withdrawn.
    package func lock(
        _ account: AccountID,
        in transaction: PostgresTransaction,
        orThrow failure: any Error = PersonUnknown()
    ) throws {
        try transaction.enqueue(store.lock(account), checking: { if $0 == nil { throw failure } })
    }

    /// The account of a public id in an app; nil for an unknown id or a withdrawn account. The account is locked, so
    /// that it cannot be withdrawn before the transaction ends.
    package func lock(
        publicID: PublicID,
        of app: App,
        in transaction: PostgresTransaction
    ) async throws -> AccountID? {
        try await store.lock(publicID: publicID, of: app, in: transaction)
    }
}
