import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit
import Values

/// SQL of calendars. A calendar takes two statements, one for the workers and one for the shifts, so that worker and
/// workplace are not repeated in every shift's row.
struct CalendarStore: Sendable {
    // MARK: Memberships

    /// Excludes former workers, except for withdrawn users who were workers at the time, who are shown without a name.
    /// Excludes deleted workplaces.
    private static let members: SQL = """
        SELECT \(WorkplaceStore.workerColumns), \(WorkplaceStore.columns)
        FROM workers k JOIN people p ON p.account_id = k.account_id
            AND (k.parted_at IS NULL OR k.is_listed AND p.withdrawn_at IS NOT NULL)
        JOIN workplaces w ON w.id = k.workplace_id AND w.deleted_at IS NULL
        """

    /// The memberships of a user.
    func memberships(of account: AccountID, in database: some Querying) async throws -> [Membership] {
        try await database.all("\(Self.members) WHERE k.account_id = \(account) AND k.parted_at IS NULL") {
            Membership(try $0.decode(as: Membership.Columns.self))
        }
    }

    /// All workers of a workplace.
    func memberships(at workplace: WorkplaceID, in database: some Querying) async throws -> [Membership] {
        try await database.all("\(Self.members) WHERE k.workplace_id = \(workplace)") {
            Membership(try $0.decode(as: Membership.Columns.self))
        }
    }

    // MARK: Shifts

    private static let shifts: SQL = """
        SELECT s.id, s.worker_id, s.date, s.starts_at, s.ends_at, s.rest_minutes, s.net_minutes,
            coalesce(s.net_pay, 0), e.days, e.until
        FROM shifts s LEFT JOIN series e ON e.id = s.series_id
        """

    /// The shifts of workers, in order.
    func entries(
        of memberships: [Membership],
        in window: ShiftWindow,
        from database: some Querying
    ) async throws -> [CalendarEntry] {
        let after: SQL = window.after.map { "AND (s.starts_at, s.id) > (\($0.instant), \($0.id))" } ?? ""
        let known = Dictionary(uniqueKeysWithValues: memberships.map { ($0.worker.id, $0) })
        return try await database.all(
            """
            \(Self.shifts) WHERE s.worker_id = ANY (\(Array(known.keys)))
                AND s.date BETWEEN \(window.days.lowerBound) AND \(window.days.upperBound)
                \(after)
            ORDER BY s.date, s.starts_at, s.id LIMIT \(window.limit)
            """
        ) { row in
            let columns = try row.decode(as: CalendarEntry.Columns.self)
            return known[columns.1].map { CalendarEntry(columns, $0) }
        }.compactMap(\.self)
    }

    func entry(_ id: ShiftID, in database: some Querying) async throws -> CalendarEntry? {
        let membership = try await database.optional(
            "\(Self.members) WHERE k.id = (SELECT worker_id FROM shifts WHERE id = \(id))"
        ) { Membership(try $0.decode(as: Membership.Columns.self)) }
        guard let membership else { return nil }
        return try await database.optional("\(Self.shifts) WHERE s.id = \(id)") {
            CalendarEntry(try $0.decode(as: CalendarEntry.Columns.self), membership)
        }
    }

    /// The shifts of a worker, latest start first.
    func attendance(of worker: WorkerID, in window: ShiftWindow, from database: some Querying) async throws
        -> [ShiftRecord]
    {
        let before: SQL = window.after.map { "AND (s.starts_at, s.id) < (\($0.instant), \($0.id))" } ?? ""
        return try await database.all(
            """
            SELECT \(ShiftStore.columns) FROM shifts s WHERE s.worker_id = \(worker)
                AND s.date BETWEEN \(window.days.lowerBound) AND \(window.days.upperBound)
                \(before)
            ORDER BY s.starts_at DESC, s.id DESC LIMIT \(window.limit)
            """
        ) { ShiftRecord(try $0.decode(as: ShiftRecord.Columns.self)) }
    }
}

extension CalendarEntry {
    typealias Columns = (ShiftID, WorkerID, CivilDate, Date, Date?, Int, Int, Int, Int?, CivilDate?)

    init(_ columns: Columns, _ membership: Membership) {
        self.init(
            id: columns.0,
            date: columns.2,
            startsAt: columns.3,
            endsAt: columns.4,
            restMinutes: columns.5,
            netMinutes: columns.6,
            netPay: columns.7,
            worker: membership.worker,
            workplace: membership.workplace
        )
        if let days = columns.8, let until = columns.9 {
            recurrence = Recurrence(days: Weekdays(rawValue: days), until: until)
        }
    }
}

extension Membership {
    /// The columns of `Worker.Columns`, then those of `Workplace.Columns`.
    typealias Columns = (
        WorkerID, WorkplaceID, String?, String?, Bool, Bool, AccountID, String, String?, String?, Bool,
        WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool, Bool, Bool
    )

    init(_ c: Columns) {
        worker = Worker((c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7, c.8, c.9, c.10))
        workplace = Workplace((c.11, c.12, c.13, c.14, c.15, c.16, c.17, c.18, c.19, c.20))
    }
}
