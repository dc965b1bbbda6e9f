import Contracts
import Postgres

/// The saved riding status of each passenger.
struct RidingStatuses: Sendable {
    let database: PostgresClient
    let aliases: TrainAliases
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
        let status = try await withoutAlias(status)
        try await database.transaction { transaction in
            try await passengers.admit(account, in: transaction)
            try await store.replace(status, account: account, in: transaction)
        }
    }

    /// Changes the non-nil fields of `change`.
    ///
    /// - Throws: `PassengerError.statusNotFound`.
    func update(_ change: RidingStatus, of account: AccountID) async throws {
        let change = try await withoutAlias(change)
        guard try await store.update(change, account: account, in: database) else {
            throw PassengerError.statusNotFound
        }
    }

    /// The status with the train's code: its alias stands for another train later.
    private func withoutAlias(_ status: RidingStatus) async throws -> RidingStatus {
        guard let code = status.trainCode, TrainCode(stored: code).mayBeAlias else { return status }
        var status = status
        status.trainCode = try await aliases.train(parsing: code).text
        return status
    }
}
