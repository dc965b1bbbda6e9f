import Contracts
import Postgres

/// Dependent data of passengers: riding status, favorites, reports and others.
struct PassengerRecords: Sendable {
    /// Deletes a passenger's own data. Reports about the passenger are kept without the passenger's id and the reason.
    func erase(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM riding_statuses WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM favorites WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM watched_cars WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM rewards WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM alerts WHERE account_id = \(account)")
        try await transaction.execute("DELETE FROM reports WHERE reporter_id = \(account)")
        try await transaction.execute(
            "UPDATE reports SET reported_id = NULL, reason = '' WHERE reported_id = \(account)"
        )
    }
}
