import Postgres

/// The people of Anlaka. They are told of by auth's events; whoever is faster than these is asked for there.
struct People: Sendable {
    let database: PostgresClient
    /// Asks auth for somebody; nil for who is not there, or has left.
    let ask: @Sendable (Int64) async throws -> Person?
    private let store = PersonStore()

    init(database: PostgresClient, ask: @escaping @Sendable (Int64) async throws -> Person?) {
        self.database = database
        self.ask = ask
    }

    /// Somebody who is to be shown to others.
    ///
    /// - Throws: `EstateError.personUnknown`.
    @discardableResult
    func person(_ account: Int64) async throws -> Person {
        if let (person, isWithdrawn) = try await store.person(account, in: database) {
            guard !isWithdrawn else { throw EstateError.personUnknown }
            return person
        }
        guard let person = try await ask(account) else { throw EstateError.personUnknown }
        try await store.save(person, in: database)
        return person
    }

    /// Keeps what auth tells of somebody, unless they have left.
    func introduce(_ person: Person, in transaction: PostgresTransaction) async throws {
        try await store.save(person, in: transaction)
    }

    /// Makes sure of somebody who does not leave before the transaction ends.
    ///
    /// - Throws: `EstateError.personUnknown`.
    func lock(_ account: Int64, in transaction: PostgresTransaction) async throws {
        guard try await store.lock(account, in: transaction) else { throw EstateError.personUnknown }
    }

    /// The account of who is called by a public id; nil for nobody, and for who has left. They do not leave before the
    /// transaction ends.
    func lock(publicID: String, in transaction: PostgresTransaction) async throws -> Int64? {
        try await store.lock(publicID: publicID, in: transaction)
    }
}
