import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of ended memberships.
struct OffboardingStore: Sendable {
    /// Deletes workers with all dependent rows.
    func delete(_ workers: [WorkerID], in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM workers WHERE id = ANY(\(workers))")
    }

    /// - Parameter staysListed: whether the owner's list keeps the worker.
    func part(
        _ workers: [WorkerID],
        at now: Date,
        staysListed: Bool,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            "UPDATE workers SET parted_at = \(now), is_listed = \(staysListed) WHERE id = ANY(\(workers))"
        )
    }

    /// Deletes the shifts whose start is in the future and that have no clock-in.
    ///
    /// - Returns: their workers and dates.
    func deleteUnbegun(of workers: [WorkerID], at now: Date, in transaction: PostgresTransaction) async throws
        -> [(WorkerID, CivilDate)]
    {
        try await transaction.all(
            """
            DELETE FROM shifts WHERE worker_id = ANY(\(workers)) AND starts_at > \(now) AND started_at IS NULL
            RETURNING worker_id, date
            """
        ) { try $0.decode(as: (WorkerID, CivilDate).self) }
    }

    /// Clocks out, and ends shifts without an end: now, at most a day after their start.
    ///
    /// - Returns: the workers and dates of the shifts that got an end.
    func close(of workers: [WorkerID], at now: Date, in transaction: PostgresTransaction) async throws
        -> [(WorkerID, CivilDate)]
    {
        try await transaction.execute(
            """
            UPDATE shifts s SET ended_at = greatest(s.started_at, \(now)) FROM clockings c
            WHERE c.worker_id = ANY(\(workers)) AND s.id = c.shift_id AND s.started_at IS NOT NULL AND s.ended_at IS NULL
            """
        )
        try await transaction.execute("DELETE FROM clockings WHERE worker_id = ANY(\(workers))")
        return try await transaction.all(
            """
            UPDATE shifts SET ends_at = greatest(starts_at, least(\(now), starts_at + interval '24 hours'))
            WHERE worker_id = ANY(\(workers)) AND ends_at IS NULL RETURNING worker_id, date
            """
        ) { try $0.decode(as: (WorkerID, CivilDate).self) }
    }
}
