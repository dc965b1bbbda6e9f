import FoundationEssentials
import Payroll
import Postgres

/// All SQL of looking at shifts. Each list is one statement, whatever its length.
struct CalendarStore: Sendable {
    /// The columns of `CalendarEntry.Columns`.
    private static let columns: SQL = """
        s.id, s.date, s.starts_at, s.ends_at, s.rest_minutes, s.net_minutes, s.net_pay, e.days, e.until,
        \(WorkplaceStore.workerColumns), \(WorkplaceStore.columns)
        """

    /// Who has left is not shown any more, but who has left the app as well is, without a name. A deleted workplace shows
    /// nowhere.
    private static let source: SQL = """
        shifts s JOIN workers k ON k.id = s.worker_id JOIN people p ON p.account_id = k.account_id
            AND (k.parted_at IS NULL OR p.withdrawn_at IS NOT NULL)
        JOIN workplaces w ON w.id = s.workplace_id AND w.deleted_at IS NULL LEFT JOIN series e ON e.id = s.series_id
        """

    private static let order: SQL = "ORDER BY s.date, s.starts_at, s.id"

    func entry(_ id: Int64, in database: some Querying) async throws -> CalendarEntry? {
        try await database.optional("SELECT \(Self.columns) FROM \(Self.source) WHERE s.id = \(id)") {
            CalendarEntry(try $0.decode(as: CalendarEntry.Columns.self))
        }
    }

    /// A worker's shifts.
    func entries(
        of worker: Int64,
        on days: ClosedRange<CivilDate>,
        in database: some Querying
    ) async throws -> [CalendarEntry] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM \(Self.source)
            WHERE s.worker_id = \(worker) AND s.date BETWEEN \(days.lowerBound) AND \(days.upperBound) \(Self.order)
            """
        ) { CalendarEntry(try $0.decode(as: CalendarEntry.Columns.self)) }
    }

    /// Somebody's own shifts at all their workplaces.
    func entries(
        ofAccount account: Int64,
        on days: ClosedRange<CivilDate>,
        in database: some Querying
    ) async throws -> [CalendarEntry] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM \(Self.source)
            WHERE k.account_id = \(account) AND k.parted_at IS NULL
                AND s.date BETWEEN \(days.lowerBound) AND \(days.upperBound) \(Self.order)
            """
        ) { CalendarEntry(try $0.decode(as: CalendarEntry.Columns.self)) }
    }

    /// Everybody's shifts at a workplace.
    func entries(
        at workplace: Int64,
        on days: ClosedRange<CivilDate>,
        in database: some Querying
    ) async throws -> [CalendarEntry] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM \(Self.source)
            WHERE s.workplace_id = \(workplace) AND s.date BETWEEN \(days.lowerBound) AND \(days.upperBound)
            \(Self.order)
            """
        ) { CalendarEntry(try $0.decode(as: CalendarEntry.Columns.self)) }
    }

    /// All shifts of a worker, the latest start first.
    func attendance(of worker: Int64, in database: some Querying) async throws -> [ShiftRecord] {
        try await database.all(
            """
            SELECT \(ShiftStore.columns) FROM shifts s WHERE s.worker_id = \(worker) ORDER BY s.starts_at DESC, s.id DESC
            """
        ) { ShiftRecord(try $0.decode(as: ShiftRecord.Columns.self)) }
    }
}

extension CalendarEntry {
    /// Its own, then those of `Worker.Columns` and of `Workplace.Columns`.
    typealias Columns = (
        Int64, CivilDate, Date, Date?, Int, Int, Int?, Int?, CivilDate?,
        Int64, Int64, String?, String?, Bool, Bool, Int64, String, String?, String?, Bool,
        Int64, Int64, String, String, String?, Double?, Double?, Bool, Bool, Bool
    )

    init(_ c: Columns) {
        id = c.0
        date = c.1
        startsAt = c.2
        endsAt = c.3
        restMinutes = c.4
        netMinutes = c.5
        netPay = c.6
        if let days = c.7, let until = c.8 {
            recurrence = Recurrence(days: Weekdays(rawValue: days), until: until)
        }
        worker = Worker((c.9, c.10, c.11, c.12, c.13, c.14, c.15, c.16, c.17, c.18, c.19))
        workplace = Workplace((c.20, c.21, c.22, c.23, c.24, c.25, c.26, c.27, c.28, c.29))
    }
}
