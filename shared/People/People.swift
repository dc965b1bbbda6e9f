package import Contracts
package import FoundationEssentials
package import Postgres

/// The people whom a service shows: a read model of auth's profiles, in the service's own schema. It is told of them by
/// auth's events; whoever is faster than these is asked for there.
package struct People: Sendable {
    private let database: PostgresClient
    /// Asks auth for somebody; nil for who is not there, or has left.
    private let ask: @Sendable (Int64) async throws -> Person?
    /// Asks auth whose public id it is; nil for nobody's.
    private let find: @Sendable (String, App) async throws -> Int64?
    private let store = PersonStore()

    package init(
        database: PostgresClient,
        ask: @escaping @Sendable (Int64) async throws -> Person?,
        find: @escaping @Sendable (String, App) async throws -> Int64? = { _, _ in nil }
    ) {
        self.database = database
        self.ask = ask
        self.find = find
    }

    /// The table, under the service's own version number.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "people", sql: PackageResources.people_sql)
    }

    /// Somebody who is to be shown to others.
    ///
    /// - Throws: `PersonUnknown`.
    @discardableResult
    package func person(_ account: Int64) async throws -> Person {
        if let (person, isWithdrawn) = try await store.person(account, in: database) {
            guard !isWithdrawn else { throw PersonUnknown() }
            return person
        }
        guard let person = try await ask(account) else { throw PersonUnknown() }
        try await store.save(person, in: database)
        return person
    }

    /// Those of some people who are known here, also who has left, by account.
    package func known(_ accounts: [Int64]) async throws -> [Int64: Person] {
        let people = try await store.people(accounts, in: database)
        return Dictionary(people.map { ($0.account, $0) }) { first, _ in first }
    }

    /// The account of who is called by a public id in an app; nil for nobody, and for who has left.
    package func account(publicID: String, of app: App) async throws -> Int64? {
        guard PublicID.isOne(publicID) else { return nil }
        if let account = try await store.account(publicID: publicID, of: app, in: database) { return account }
        guard let account = try await find(publicID, app) else { return nil }
        do {
            return try await person(account).account
        } catch is PersonUnknown {
            return nil
        }
    }

    /// The app of somebody who is known here, also of who has left; nil for others.
    package func app(of account: Int64) async throws -> App? {
        try await store.person(account, in: database)?.person.app
    }

    /// Keeps what auth tells of somebody, unless they have left.
    package func introduce(_ person: Person, in transaction: PostgresTransaction) async throws {
        try await store.save(person, in: transaction)
    }

    /// Makes somebody anonymous for good, also who has not been heard of.
    package func withdraw(
        _ account: Int64,
        of app: App,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await store.withdraw(account, of: app, at: now, in: transaction)
    }

    /// Makes sure of somebody who does not leave before the transaction ends.
    ///
    /// - Throws: `PersonUnknown`.
    package func lock(_ account: Int64, in transaction: PostgresTransaction) async throws {
        guard try await store.lock(account, in: transaction) else { throw PersonUnknown() }
    }

    /// The account of who is called by a public id in an app; nil for nobody, and for who has left. They do not leave before
    /// the transaction ends.
    package func lock(
        publicID: String,
        of app: App,
        in transaction: PostgresTransaction
    ) async throws -> Int64? {
        try await store.lock(publicID: publicID, of: app, in: transaction)
    }
}
