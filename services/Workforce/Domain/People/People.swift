import Contracts
import Postgres

/// MOUP's users. They are stored from auth's events, and queried from the auth service until their events arrive.
struct People: Sendable {
    let database: PostgresClient
    /// Queries auth for a user; nil for an unregistered or withdrawn one.
    let ask: @Sendable (AccountID) async throws -> Person?
    private let store = PersonStore()

    /// A registered user.
    ///
    /// - Throws: `WorkforceError.userNotFound`.
    @discardableResult
    func person(_ account: AccountID) async throws -> Person {
        if let person = try await store.person(account, in: database), person.role != nil || person.isWithdrawn {
            guard !person.isWithdrawn else { throw WorkforceError.userNotFound }
            return person
        }
        guard let person = try await ask(account) else { throw WorkforceError.userNotFound }
        try await store.save(person, in: database)
        return person
    }

    /// A registered user with a role.
    ///
    /// - Throws: `WorkforceError.forbidden`.
    @discardableResult
    func person(_ account: AccountID, as role: Person.Role) async throws -> Person {
        let person = try await member(account)
        guard person.role == role else { throw WorkforceError.forbidden }
        return person
    }

    /// A registered user, for calls that require registration.
    ///
    /// - Throws: `WorkforceError.forbidden`.
    @discardableResult
    func member(_ account: AccountID) async throws -> Person {
        do {
            return try await person(account)
        } catch WorkforceError.userNotFound {
            throw WorkforceError.forbidden
        }
    }

    /// Stores a profile from auth's events, unless the user is withdrawn.
    ///
    /// - Parameter role: nil keeps the stored role.
    func save(
        _ account: AccountID,
        nickname: String,
        image: String?,
        role: Person.Role?,
        in transaction: PostgresTransaction
    ) async throws {
        let person = Person(account: account, nickname: nickname, image: image, role: role, isWithdrawn: false)
        try await store.save(person, in: transaction)
    }
}
