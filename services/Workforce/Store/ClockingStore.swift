import Contracts
import FoundationEssentials
import Postgres
import Values

/// SQL of the time clock.
struct ClockingStore: Sendable {
    /// The worker's earliest shift without clock times whose planned start is in a time span.
    func planned(
        of worker: WorkerID,
        starting span: ClosedRange<Date>,
        in database: some Querying
    ) async throws -> ShiftID? {
        try await database.optional(
            """
            SELECT id FROM shifts
            WHERE worker_id = \(worker) AND started_at IS NULL AND ended_at IS NULL
                AND date BETWEEN \(SeoulTime.date(of: span.lowerBound)) AND \(SeoulTime.date(of: span.upperBound))
                AND starts_at BETWEEN \(span.lowerBound) AND \(span.upperBound)
            ORDER BY starts_at, id LIMIT 1
            """
        ) { try $0.decode(ShiftID.self) }
    }

    func begin(_ shift: ShiftID, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE shifts SET started_at = \(now) WHERE id = \(shift)")
    }

    func finish(_ shift: ShiftRecord, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE shifts SET ended_at = \(shift.endedAt), ends_at = \(shift.endsAt) WHERE id = \(shift.id)"
        )
    }

    /// Clocks a user in.
    ///
    /// - Returns: false when the user is already clocked in, at any workplace.
    func insert(
        account: AccountID,
        worker: WorkerID,
        shift: ShiftID,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.execute(
            """
            INSERT INTO clockings (account_id, worker_id, shift_id) VALUES (\(account), \(worker), \(shift))
            ON CONFLICT (account_id) DO NOTHING
            """
        ) == 1
    }

    /// Clocks a user out.
    ///
    /// - Returns: the shift; nil when the user was not clocked in here.
    func delete(account: AccountID, worker: WorkerID, in transaction: PostgresTransaction) async throws -> ShiftID? {
        try await transaction.optional(
            "DELETE FROM clockings WHERE account_id = \(account) AND worker_id = \(worker) RETURNING shift_id"
        ) { try $0.decode(ShiftID.self) }
    }

    /// Moves clock-ins from shifts to their copies.
    func move(_ copies: [ShiftCopy], in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE clockings c SET shift_id = n.copy
            FROM unnest(\(copies.map(\.original)), \(copies.map(\.copy))) AS n (original, copy)
            WHERE c.shift_id = n.original
            """
        )
    }
}
