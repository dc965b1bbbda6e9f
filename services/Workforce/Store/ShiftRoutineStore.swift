import Postgres

/// All SQL of what is to be done on shifts.
struct ShiftRoutineStore: Sendable {
    /// Holds somebody's own routines until the transaction ends, so that none goes before it is linked.
    ///
    /// - Returns: how many of them are there.
    func lock(_ routines: [Int64], of account: Int64, in transaction: PostgresTransaction) async throws -> Int {
        try await transaction.all(
            """
            SELECT id FROM routines WHERE id = ANY (\(routines)) AND account_id = \(account) ORDER BY id FOR KEY SHARE
            """
        ) { try $0.decode(Int64.self) }.count
    }

    /// Links shifts to routines, in place of what they were linked to.
    func link(_ shifts: [Int64], to routines: [Int64], in transaction: PostgresTransaction) async throws {
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

    /// Links shifts to what others are linked to.
    func copyLinks(_ copies: [ShiftCopy], in transaction: PostgresTransaction) async throws {
        // The routines that go meanwhile are passed over.
        try await transaction.execute(
            """
            INSERT INTO shift_routines (shift_id, routine_id)
            SELECT n.copy, r.id FROM unnest(\(copies.map(\.original)), \(copies.map(\.copy))) AS n (original, copy)
            JOIN shift_routines l ON l.shift_id = n.original JOIN routines r ON r.id = l.routine_id
            ORDER BY r.id FOR KEY SHARE OF r
            """
        )
    }

    /// Takes over what has been done of the routines that a shift is still linked to.
    func copyCompletions(_ copies: [ShiftCopy], in transaction: PostgresTransaction) async throws {
        // Whoever is about to complete something is waited for.
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
