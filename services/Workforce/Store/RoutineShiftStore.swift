import Contracts
import Postgres

/// SQL of completed tasks of shifts.
struct RoutineShiftStore: Sendable {
    /// - Returns: nil for an unknown shift, or one of a deleted workplace.
    func place(of shift: ShiftID, in database: some Querying) async throws -> ShiftPlace? {
        try await database.optional(
            """
            SELECT k.account_id, k.is_accepted, k.parted_at IS NOT NULL, w.creator_id, w.is_shared
            FROM shifts s JOIN workers k ON k.id = s.worker_id JOIN workplaces w ON w.id = s.workplace_id
            WHERE s.id = \(shift) AND w.deleted_at IS NULL
            """
        ) { row in
            let (account, isAccepted, hasParted, creator, isShared) = try row.decode(
                as: (AccountID, Bool, Bool, AccountID, Bool).self
            )
            return ShiftPlace(
                account: account,
                isAccepted: isAccepted,
                hasParted: hasParted,
                creator: creator,
                isShared: isShared
            )
        }
    }

    /// The ids of the completed tasks.
    func completions(of shift: ShiftID, in database: some Querying) async throws -> Set<RoutineTaskID> {
        Set(
            try await database.all("SELECT task_id FROM completions WHERE shift_id = \(shift)") {
                try $0.decode(RoutineTaskID.self)
            }
        )
    }

    /// Whether a task belongs to a routine of the shift. Locks both until the transaction ends.
    func holds(_ shift: ShiftID, task: RoutineTaskID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            """
            SELECT 1 FROM shift_routines l JOIN routine_tasks t ON t.routine_id = l.routine_id
            WHERE l.shift_id = \(shift) AND t.id = \(task) FOR KEY SHARE
            """
        ) { try $0.decode(Int32.self) } != nil
    }

    func setCompleted(
        _ isCompleted: Bool,
        task: RoutineTaskID,
        of shift: ShiftID,
        in transaction: PostgresTransaction
    ) async throws {
        if isCompleted {
            try await transaction.execute(
                "INSERT INTO completions (shift_id, task_id) VALUES (\(shift), \(task)) ON CONFLICT DO NOTHING"
            )
        } else {
            try await transaction.execute(
                "DELETE FROM completions WHERE shift_id = \(shift) AND task_id = \(task)"
            )
        }
    }
}
