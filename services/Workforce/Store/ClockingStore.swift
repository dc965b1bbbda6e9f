import CivilTime
import FoundationEssentials
import Postgres

/// All SQL of who is at work.
struct ClockingStore: Sendable {
    /// The worker's earliest shift that nobody has begun and that was to start in a span of time.
    func planned(
        of worker: Int64,
        starting span: ClosedRange<Date>,
        in database: some Querying
    ) async throws -> Int64? {
        try await database.optional(
            """
            SELECT id FROM shifts
            WHERE worker_id = \(worker) AND started_at IS NULL AND ended_at IS NULL
                AND date BETWEEN \(SeoulTime.date(of: span.lowerBound)) AND \(SeoulTime.date(of: span.upperBound))
                AND starts_at BETWEEN \(span.lowerBound) AND \(span.upperBound)
            ORDER BY starts_at, id LIMIT 1
            """
        ) { try $0.decode(Int64.self) }
    }

    func begin(_ shift: Int64, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE shifts SET started_at = \(now) WHERE id = \(shift)")
    }

    func finish(_ shift: ShiftRecord, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE shifts SET ended_at = \(shift.endedAt), ends_at = \(shift.endsAt) WHERE id = \(shift.id)"
        )
    }

    /// Puts somebody to work.
    ///
    /// - Returns: false when they are at work already, wherever that is.
    func insert(
        account: Int64,
        worker: Int64,
        shift: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.execute(
            """
            INSERT INTO clockings (account_id, worker_id, shift_id) VALUES (\(account), \(worker), \(shift))
            ON CONFLICT (account_id) DO NOTHING
            """
        ) == 1
    }

    /// Lets somebody be off work.
    ///
    /// - Returns: the shift that they were on; nil when they were not at work here.
    func delete(account: Int64, worker: Int64, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional(
            "DELETE FROM clockings WHERE account_id = \(account) AND worker_id = \(worker) RETURNING shift_id"
        ) { try $0.decode(Int64.self) }
    }

    /// Lets who is at work on a shift be at work on its copy.
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
