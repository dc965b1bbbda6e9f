import Postgres

/// Phone numbers, registered or not, whose owners are not to see what somebody posts (With Suhyeon contract 4.4).
struct BlockedNumbers: Sendable {
    let database: PostgresClient
    let store = BlockedNumberStore()
    let companions = CompanionStore()
    let audit = AuditLog()

    /// The most of one list.
    static let listLimit = 1000

    /// The newest first.
    func list(of account: Int64) async throws -> [String] {
        try await store.list(of: account, limit: Self.listLimit, in: database)
    }

    /// - Throws: `CompanionError.unknown`, `.ownNumber`, `.blockedAlready`.
    func add(_ phone: PhoneNumber, by account: Int64, origin: Origin) async throws {
        try await database.transaction { transaction in
            guard let owner = try await companions.companion(account, in: transaction) else {
                throw CompanionError.unknown
            }
            guard owner.account.phone != phone.text else { throw CompanionError.ownNumber }
            guard try await store.insert(phone, by: account, in: transaction) else {
                throw CompanionError.blockedAlready
            }
            try await audit.record(.numberBlocked, account: account, origin: origin, in: transaction)
        }
    }

    /// - Throws: `CompanionError.notBlocked`.
    func remove(_ phone: PhoneNumber, by account: Int64, origin: Origin) async throws {
        try await database.transaction { transaction in
            guard try await store.delete(phone, by: account, in: transaction) else {
                throw CompanionError.notBlocked
            }
            try await audit.record(.numberUnblocked, account: account, origin: origin, in: transaction)
        }
    }

    /// Who has blocked the phone of an account.
    func blockers(of account: Int64) async throws -> [Int64] {
        try await store.blockers(of: account, in: database)
    }
}
