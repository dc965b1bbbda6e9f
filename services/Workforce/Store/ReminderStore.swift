import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of reminders.
struct ReminderStore: Sendable {
    /// The last reminder of a kind that was sent; the row stays locked until the transaction ends. nil while another
    /// transaction holds the lock.
    func lock(_ kind: Reminders.Kind, in transaction: PostgresTransaction) async throws -> Reminders.Mark? {
        try await transaction.optional(
            """
            SELECT sent_through, sent_key FROM alarm_marks WHERE kind = \(kind.rawValue) FOR UPDATE SKIP LOCKED
            """
        ) { row in
            let (through, key) = try row.decode(as: (Date, [Int64]).self)
            return Reminders.Mark(through: through, key: key)
        }
    }

    func save(_ mark: Reminders.Mark, of kind: Reminders.Kind, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE alarm_marks SET sent_through = \(mark.through), sent_key = \(mark.key) WHERE kind = \(kind.rawValue)
            """
        )
    }

    /// The shifts that start in `Reminders.shiftLead`, in order; without those that have already started, as planned or
    /// by the clock.
    func dueShifts(
        after mark: Reminders.Mark,
        until now: Date,
        limit: Int,
        in database: some Querying
    ) async throws -> [Reminders.Due] {
        let lead = Reminders.shiftLead
        return try await database.all(
            """
            SELECT s.starts_at, s.id, k.account_id, k.id, w.id, w.name,
                to_char(s.starts_at AT TIME ZONE 'Asia/Seoul', 'HH24:MI')
            FROM shifts s JOIN workers k ON k.id = s.worker_id JOIN workplaces w ON w.id = s.workplace_id
            WHERE s.starts_at BETWEEN \(mark.through + lead) AND \(now + lead) AND s.starts_at > \(now)
                AND (s.starts_at, ARRAY[s.id]) > (\(mark.through + lead), \(mark.key))
                AND s.started_at IS NULL AND k.is_accepted AND k.parted_at IS NULL AND w.deleted_at IS NULL
            ORDER BY s.starts_at, s.id LIMIT \(limit)
            """
        ) { row in
            let (start, shift, account, worker, workplace, place, time) = try row.decode(
                as: (Date, ShiftID, AccountID, WorkerID, WorkplaceID, String, String).self
            )
            let alert = WorkforceEvents.MemberAlerted(
                account: account,
                kind: .shiftDue,
                arguments: [place, time],
                workplace: workplace,
                worker: worker,
                shift: shift
            )
            return Reminders.Due(at: start - lead, key: [shift.rawValue], alert: alert)
        }
    }

    /// The due routines, in order.
    func dueRoutines(
        after mark: Reminders.Mark,
        until now: Date,
        limit: Int,
        in database: some Querying
    ) async throws -> [Reminders.Due] {
        try await database.all(
            """
            SELECT l.due_at, s.id, r.id, r.account_id, r.name, k.id, w.id, w.name
            FROM shift_routines l JOIN shifts s ON s.id = l.shift_id JOIN routines r ON r.id = l.routine_id
                JOIN workers k ON k.id = s.worker_id JOIN workplaces w ON w.id = s.workplace_id
            WHERE l.due_at BETWEEN \(mark.through) AND \(now)
                AND (l.due_at, ARRAY[l.shift_id, l.routine_id]) > (\(mark.through), \(mark.key))
                AND k.parted_at IS NULL AND w.deleted_at IS NULL
            ORDER BY l.due_at, l.shift_id, l.routine_id LIMIT \(limit)
            """
        ) { row in
            let (at, shift, routine, account, name, worker, workplace, place) = try row.decode(
                as: (Date, ShiftID, RoutineID, AccountID, String, WorkerID, WorkplaceID, String).self
            )
            let alert = WorkforceEvents.MemberAlerted(
                account: account,
                kind: .routineDue,
                arguments: [name, place],
                workplace: workplace,
                worker: worker,
                shift: shift,
                routine: routine
            )
            return Reminders.Due(at: at, key: [shift.rawValue, routine.rawValue], alert: alert)
        }
    }

    /// The workers with a pay day, by the wage of the month, and with recent net pay; sorted by id.
    ///
    /// - Parameter worker: the cursor: workers with greater ids are returned.
    func duePayDays(
        on day: CivilDate,
        at: Date,
        after worker: WorkerID,
        limit: Int,
        in database: some Querying
    ) async throws -> [Reminders.Due] {
        let month = day.month
        // A pay day beyond the end of the month is on its last day.
        let lastDay = day == month.last ? 31 : day.day
        return try await database.all(
            """
            SELECT k.id, k.account_id, w.id, w.name
            FROM workers k JOIN workplaces w ON w.id = k.workplace_id JOIN people p USING (account_id)
                JOIN LATERAL (
                    SELECT * FROM wages g WHERE g.worker_id = k.id
                    ORDER BY g.since > \(day), CASE WHEN g.since > \(day) THEN g.since END, g.since DESC LIMIT 1
                ) g ON true
            WHERE k.id > \(worker) AND k.is_accepted AND k.parted_at IS NULL AND w.deleted_at IS NULL
                AND p.withdrawn_at IS NULL
                AND (g.salary_type = 'monthly' AND g.salary_date BETWEEN \(day.day) AND \(lastDay)
                    OR g.salary_type = 'weekly' AND g.salary_day = \(day.weekday.rawValue))
                AND EXISTS (SELECT FROM months m WHERE m.worker_id = k.id
                    AND m.month BETWEEN \(month.next(-1)) AND \(month) AND m.net_pay > 0)
            ORDER BY k.id LIMIT \(limit)
            """
        ) { row in
            let (worker, account, workplace, name) = try row.decode(as: (WorkerID, AccountID, WorkplaceID, String).self)
            let alert = WorkforceEvents.MemberAlerted(
                account: account,
                kind: .payDay,
                arguments: [name],
                workplace: workplace,
                worker: worker
            )
            return Reminders.Due(at: at, key: [worker.rawValue], alert: alert)
        }
    }
}
