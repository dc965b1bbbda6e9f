import Contracts
import Postgres

/// The saved riding status of each passenger.
struct RidingStatuses: Sendable {
    let database: PostgresClient
    let passengers = PassengerStore()
    let store = RidingStatusStore()

    /// - Throws: `PassengerError.statusNotFound`.
    func status(of account: AccountID) async throws -> RidingStatus {
        guard let status = try await store.status(account: account, in: database) else {
            throw PassengerError.statusNotFound
        }
        return status
    }

    /// Replaces the passenger's status.
    func replace(_ status: RidingStatus, of account: AccountID) async throws {
        try await database.transaction { transaction in
            try await passengers.admit(account, in: transaction)
            try await store.replace(status, account: account, in: transaction)
        }
    }

    /// Changes the non-nil fields of `change`.
    ///
    /// - Throws: `PassengerError.statusNotFound`.
    func update(_ change: RidingStatus, of account: AccountID) async throws {
        guard try await store.update(change, account: account, in: database) else {
            throw PassengerError.statusNotFound
        }
    }
}
