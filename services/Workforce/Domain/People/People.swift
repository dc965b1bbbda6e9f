import Postgres

/// The people of MOUP. They are told of by auth's events; whoever is faster than these is asked for there.
struct People: Sendable {
    let database: PostgresClient
    /// Asks auth for somebody; nil for who has not finished registration, or has left.
    let ask: @Sendable (Int64) async throws -> Person?
    private let store = PersonStore()

    init(database: PostgresClient, ask: @escaping @Sendable (Int64) async throws -> Person?) {
        self.database = database
        self.ask = ask
    }

    /// Somebody who has finished registration.
    ///
    /// - Throws: `WorkforceError.userNotFound`.
    @discardableResult
    func person(_ account: Int64) async throws -> Person {
        if let person = try await store.person(account, in: database), person.role != nil || person.isWithdrawn {
            guard !person.isWithdrawn else { throw WorkforceError.userNotFound }
            return person
        }
        guard let person = try await ask(account) else { throw WorkforceError.userNotFound }
        try await store.save(person, in: database)
        return person
    }

    /// Somebody of that role.
    ///
    /// - Throws: `WorkforceError.forbidden`.
    @discardableResult
    func person(_ account: Int64, as role: Person.Role) async throws -> Person {
        let person = try await member(account)
        guard person.role == role else { throw WorkforceError.forbidden }
        return person
    }

    /// Somebody who has finished registration, and so may do what their role may.
    ///
    /// - Throws: `WorkforceError.forbidden`.
    @discardableResult
    func member(_ account: Int64) async throws -> Person {
        do {
            return try await person(account)
        } catch WorkforceError.userNotFound {
            throw WorkforceError.forbidden
        }
    }

    /// Keeps what auth tells of somebody, unless they have left.
    ///
    /// - Parameter role: nil keeps what was told.
    func introduce(
        _ account: Int64,
        nickname: String,
        image: String?,
        role: Person.Role?,
        in transaction: PostgresTransaction
    ) async throws {
        let person = Person(account: account, nickname: nickname, image: image, role: role, isWithdrawn: false)
        try await store.save(person, in: transaction)
    }
}
