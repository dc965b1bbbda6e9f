import Contracts
import Postgres

/// SQL of links between shifts and routines.
struct ShiftRoutineStore: Sendable {
    /// Locks a user's routines until the transaction ends, so that none is deleted before it is linked.
    ///
    /// - Returns: the number of existing ones.
    func lock(_ routines: [RoutineID], of account: AccountID, in transaction: PostgresTransaction) async throws -> Int {
        try await transaction.all(
            """
            SELECT id FROM routines WHERE id = ANY (\(routines)) AND account_id = \(account) ORDER BY id FOR KEY SHARE
            """
        ) { try $0.decode(RoutineID.self) }.count
    }

    /// Replaces the links of shifts to routines.
    func link(_ shifts: [ShiftID], to routines: [RoutineID], in transaction: PostgresTransaction) async throws {
        _ = try await transaction.run(
            .execute(
                """
                DELETE FROM shift_routines WHERE shift_id = ANY (\(shifts)) AND routine_id <> ALL (\(routines))
                """
            ),
            .execute(
                """
                INSERT INTO shift_routines (shift_id, routine_id)
                SELECT s, r FROM unnest(\(shifts)) s, unnest(\(routines)) r ON CONFLICT DO NOTHING
                """
            ),
            .execute(
                """
                DELETE FROM completions c USING routine_tasks t
                WHERE c.shift_id = ANY (\(shifts)) AND t.id = c.task_id AND t.routine_id <> ALL (\(routines))
                """
            )
        )
    }

    /// Copies the links of shifts.
    func copyLinks(_ copies: [ShiftCopy], in transaction: PostgresTransaction) async throws {
        // Routines deleted concurrently are skipped.
        try await transaction.execute(
            """
            INSERT INTO shift_routines (shift_id, routine_id)
            SELECT n.copy, r.id FROM unnest(\(copies.map(\.original)), \(copies.map(\.copy))) AS n (original, copy)
            JOIN shift_routines l ON l.shift_id = n.original JOIN routines r ON r.id = l.routine_id
            ORDER BY r.id FOR KEY SHARE OF r
            """
        )
    }

    /// Copies completed tasks of the routines that the copy is linked to.
    func copyCompletions(_ copies: [ShiftCopy], in transaction: PostgresTransaction) async throws {
        // Waits for concurrent completions.
        try await transaction.execute(
            "SELECT FROM shift_routines WHERE shift_id = ANY (\(copies.map(\.original))) ORDER BY routine_id FOR UPDATE"
        )
        try await transaction.execute(
            """
            INSERT INTO completions (shift_id, task_id, completed_at)
            SELECT n.copy, t.id, c.completed_at
            FROM unnest(\(copies.map(\.original)), \(copies.map(\.copy))) AS n (original, copy)
            JOIN completions c ON c.shift_id = n.original JOIN routine_tasks t ON t.id = c.task_id
            JOIN shift_routines l ON l.shift_id = n.copy AND l.routine_id = t.routine_id
            ORDER BY t.id FOR KEY SHARE OF t
            """
        )
    }
}
