import Postgres

/// What passengers leave behind: their riding status, favourites and reports.
struct PassengerRecords: Sendable {
    /// Deletes what is somebody's own. What others reported about them stays as a bare fact: that there was a report.
    func erase(_ account: Int64, in transaction: PostgresTransaction) async throws {
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
