import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of routines and their tasks.
struct RoutineStore: Sendable {
    private static let columns: SQL = "r.id, r.account_id, r.name, r.alarm_minute"

    func count(of account: AccountID, in database: some Querying) async throws -> Int {
        try await database.one("SELECT count(*) FROM routines WHERE account_id = \(account)") {
            try $0.decode(Int.self)
        }
    }

    /// Sorted by alarm time, those without one last.
    func routines(of account: AccountID, in database: some Querying) async throws -> [Routine] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM routines r WHERE r.account_id = \(account)
            ORDER BY r.alarm_minute NULLS LAST, r.id
            """
        ) { Routine(try $0.decode(as: Routine.Columns.self)) }
    }

    func routine(_ id: RoutineID, in database: some Querying) async throws -> Routine? {
        try await database.optional("SELECT \(Self.columns) FROM routines r WHERE r.id = \(id)") {
            Routine(try $0.decode(as: Routine.Columns.self))
        }
    }

    func routines(ofShift shift: ShiftID, in database: some Querying) async throws -> [Routine] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM shift_routines l JOIN routines r ON r.id = l.routine_id
            WHERE l.shift_id = \(shift) ORDER BY r.alarm_minute NULLS LAST, r.id
            """
        ) { Routine(try $0.decode(as: Routine.Columns.self)) }
    }

    /// - Throws: `WorkforceError.routineNameTaken`.
    func insert(_ draft: RoutineDraft, of account: AccountID, in transaction: PostgresTransaction) async throws
        -> RoutineID
    {
        let id = try await transaction.optional(
            """
            INSERT INTO routines (account_id, name, alarm_minute) VALUES (\(account), \(draft.name), \(draft.alarmMinute))
            ON CONFLICT ON CONSTRAINT routines_account_id_name_key DO NOTHING RETURNING id
            """
        ) { try $0.decode(RoutineID.self) }
        guard let id else { throw WorkforceError.routineNameTaken }
        return id
    }

    /// - Returns: false for an unknown routine, or another user's.
    /// - Throws: `WorkforceError.routineNameTaken`.
    func update(
        _ id: RoutineID,
        of account: AccountID,
        to draft: RoutineDraft,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        do {
            let changed = try await transaction.execute(
                """
                UPDATE routines SET name = \(draft.name), alarm_minute = \(draft.alarmMinute)
                WHERE id = \(id) AND account_id = \(account)
                """
            )
            return changed == 1
        } catch let error as PostgresError where error.violates("routines_account_id_name_key") {
            throw WorkforceError.routineNameTaken
        }
    }

    /// - Returns: false for an unknown routine, or another user's.
    func delete(_ id: RoutineID, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.execute("DELETE FROM routines WHERE id = \(id) AND account_id = \(account)") == 1
    }

    // MARK: Tasks

    /// Sorted by `order_index` within each routine.
    func tasks(of routines: [RoutineID], in database: some Querying) async throws -> [RoutineTask] {
        try await database.all(
            """
            SELECT id, routine_id, content, order_index FROM routine_tasks WHERE routine_id = ANY(\(routines))
            ORDER BY routine_id, order_index
            """
        ) { row in
            let (id, routine, content, order) = try row.decode(as: (RoutineTaskID, RoutineID, String, Int64).self)
            return RoutineTask(id: id, routine: routine, content: content, order: order)
        }
    }

    func insertTasks(
        _ tasks: [RoutineDraft.Task],
        of routine: RoutineID,
        in transaction: PostgresTransaction
    ) async throws {
        guard !tasks.isEmpty else { return }
        try await transaction.execute(
            """
            INSERT INTO routine_tasks (routine_id, content, order_index)
            SELECT \(routine), * FROM unnest(\(tasks.map(\.content)), \(tasks.map(\.order)))
            """
        )
    }

    func deleteTasks(of routine: RoutineID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM routine_tasks WHERE routine_id = \(routine)")
    }

    // MARK: Links

    /// The links of all routines of a user, in the order of the shifts.
    func links(of account: AccountID, in database: some Querying) async throws -> [RoutineLink] {
        try await links(where: "r.account_id = \(account)", in: database)
    }

    func links(ofRoutine routine: RoutineID, in database: some Querying) async throws -> [RoutineLink] {
        try await links(where: "r.id = \(routine)", in: database)
    }

    func links(ofRoutines routines: [RoutineID], in database: some Querying) async throws -> [RoutineLink] {
        try await links(where: "r.id = ANY(\(routines))", in: database)
    }

    private func links(where condition: SQL, in database: some Querying) async throws -> [RoutineLink] {
        try await database.all(
            """
            SELECT l.routine_id, l.shift_id, coalesce(e.days, 0)
            FROM routines r JOIN shift_routines l ON l.routine_id = r.id JOIN shifts s ON s.id = l.shift_id
                LEFT JOIN series e ON e.id = s.series_id
            WHERE \(condition) ORDER BY s.date, s.id
            """
        ) { row in
            let (routine, shift, days) = try row.decode(as: (RoutineID, ShiftID, Int).self)
            return RoutineLink(routine: routine, shift: shift, days: days)
        }
    }

    /// A user's shifts of a day with routines and an end, at current workplaces.
    func day(_ date: CivilDate, of account: AccountID, in database: some Querying) async throws -> [RoutineDay] {
        try await database.all(
            """
            SELECT s.id, s.starts_at, s.ends_at, (SELECT count(*) FROM shift_routines l WHERE l.shift_id = s.id),
                \(WorkplaceStore.columns)
            FROM workers k JOIN shifts s ON s.worker_id = k.id JOIN workplaces w ON w.id = k.workplace_id
            WHERE k.account_id = \(account) AND k.parted_at IS NULL AND w.deleted_at IS NULL AND s.date = \(date)
                AND s.ends_at IS NOT NULL AND EXISTS (SELECT FROM shift_routines l WHERE l.shift_id = s.id)
            ORDER BY s.starts_at, s.id
            """
        ) { row in
            let c = try row.decode(
                as: (
                    ShiftID, Date, Date, Int, WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool,
                    Bool, Bool
                ).self
            )
            let workplace = Workplace((c.4, c.5, c.6, c.7, c.8, c.9, c.10, c.11, c.12, c.13))
            return RoutineDay(shift: c.0, workplace: workplace, startsAt: c.1, endsAt: c.2, routineCount: c.3)
        }
    }
}

extension Routine {
    fileprivate typealias Columns = (RoutineID, AccountID, String, Int?)

    fileprivate init(_ columns: Columns) {
        self.init(id: columns.0, account: columns.1, name: columns.2, alarmMinute: columns.3)
    }
}
