import Contracts
import Postgres

/// Blocked phone numbers, registered or not, whose owners must not see the posts of the blocking account (With Suhyeon
/// contract 4.4).
struct BlockedNumbers: Sendable {
    let database: PostgresClient
    let store = BlockedNumberStore()
    let companions = WithSuhyeonAccountStore()
    let audit = AuditLog()

    /// Maximum number of entries of an account.
    static let limit = 1000

    /// The blocked numbers of an account, newest first.
    func list(of account: AccountID) async throws -> [String] {
        try await store.list(of: account, limit: Self.limit, in: database)
    }

    /// - Throws: `WithSuhyeonError.unknown`, `.ownNumber`, `.blockedAlready`, `.tooManyNumbers`.
    func add(_ phone: PhoneNumber, by account: AccountID, origin: Origin) async throws {
        try await database.transaction(key: "account \(account)") { transaction in
            guard let owner = try await companions.companion(account, in: transaction) else {
                throw WithSuhyeonError.unknown
            }
            guard owner.account.phone != phone.text else { throw WithSuhyeonError.ownNumber }
            guard try await store.insert(phone, by: account, in: transaction) else {
                throw WithSuhyeonError.blockedAlready
            }
            guard try await store.count(of: account, in: transaction) <= Self.limit else {
                throw WithSuhyeonError.tooManyNumbers
            }
            try audit.record(.numberBlocked, account: account, origin: origin, in: transaction)
        }
    }

    /// - Throws: `WithSuhyeonError.notBlocked`.
    func remove(_ phone: PhoneNumber, by account: AccountID, origin: Origin) async throws {
        try await database.transaction(key: "account \(account)") { transaction in
            guard try await store.delete(phone, by: account, in: transaction) else {
                throw WithSuhyeonError.notBlocked
            }
            try audit.record(.numberUnblocked, account: account, origin: origin, in: transaction)
        }
    }

    /// The accounts that have blocked the phone number of an account.
    func blockers(of account: AccountID) async throws -> [AccountID] {
        try await store.blockers(of: account, in: database)
    }
}
