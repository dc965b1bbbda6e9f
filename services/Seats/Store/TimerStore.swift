import Postgres

/// SQL of the next due times.
struct TimerStore: Sendable {
    func nextRequestExpiry(in database: any Querying) async throws -> Double? {
        try await seconds("SELECT min(expires_at) AS at FROM yield_requests WHERE status = 'PENDING'", database)
    }

    func nextLeaseEnd(in database: any Querying) async throws -> Double? {
        try await seconds("SELECT min(arrives_at) AS at FROM occupancies WHERE journey_id IS NULL", database)
    }

    func nextJourneyCheck(in database: any Querying) async throws -> Double? {
        try await seconds("SELECT min(next_check) AS at FROM journeys WHERE status = 'ACTIVE'", database)
    }

    func nextAlert(in database: any Querying) async throws -> Double? {
        try await seconds("SELECT min(due_at) AS at FROM alerts", database)
    }

    /// Seconds from now; nil when nothing is due.
    private func seconds(_ moment: SQL, _ database: any Querying) async throws -> Double? {
        try await database.one(
            "SELECT extract(epoch FROM at - clock_timestamp())::double precision FROM (\(moment)) AS next"
        ) { try $0.decode(Double?.self) }
    }
}
