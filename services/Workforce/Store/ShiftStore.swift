import Contracts
import FoundationEssentials
import Payroll
import Postgres
import ServiceDatabase
import Values

/// SQL of shifts. Writers must have locked the worker (`WorkplaceStore.lock`).
struct ShiftStore: Sendable {
    /// The columns of `ShiftRecord.Columns`, of a table or alias `s`.
    static let columns: SQL = """
        s.id, s.worker_id, s.workplace_id, s.series_id, s.series_date, s.date, s.starts_at, s.ends_at, s.rest_minutes,
        s.started_at, s.ended_at, s.memo
        """

    func shift(_ id: ShiftID, in database: some Querying) async throws -> ShiftRecord? {
        try await database.optional("SELECT \(Self.columns) FROM shifts s WHERE s.id = \(id)") {
            ShiftRecord(try $0.decode(as: ShiftRecord.Columns.self))
        }
    }

    /// The shifts of a series from a date on, in order.
    func shifts(ofSeries series: SeriesID, since date: CivilDate, in database: some Querying) async throws
        -> [ShiftRecord]
    {
        try await database.all(
            """
            SELECT \(Self.columns) FROM shifts s WHERE s.series_id = \(series) AND s.date >= \(date)
            ORDER BY s.date, s.starts_at, s.id
            """
        ) { ShiftRecord(try $0.decode(as: ShiftRecord.Columns.self)) }
    }

    /// The times of a worker's shifts in a range of days, without shifts that have no end.
    ///
    /// - Parameter ignored: shifts to be excluded.
    func times(
        of worker: WorkerID,
        on days: ClosedRange<CivilDate>,
        ignoring ignored: [ShiftID],
        in database: some Querying
    ) async throws -> [Range<Date>] {
        try await database.all(
            """
            SELECT starts_at, ends_at FROM shifts
            WHERE worker_id = \(worker) AND date BETWEEN \(days.lowerBound) AND \(days.upperBound)
                AND ends_at IS NOT NULL AND id <> ALL (\(ignored))
            """
        ) { row in
            let (start, end) = try row.decode(Date.self, Date.self)
            return start..<end
        }
    }

    /// Inserts shifts of a worker.
    ///
    /// - Parameter series: nil for single shifts.
    /// - Returns: their ids, in the order of the drafts.
    func insert(
        _ drafts: [ShiftDraft],
        of worker: Worker,
        series: SeriesID? = nil,
        in transaction: PostgresTransaction
    ) async throws -> [ShiftID] {
        try await transaction.all(
            """
            INSERT INTO shifts (worker_id, workplace_id, series_id, series_date, date, starts_at, ends_at, rest_minutes,
                started_at, ended_at, memo, hourly_rate, has_night_allowance, has_holiday_allowance)
            SELECT \(worker.id), \(worker.workplace), \(series), CASE WHEN \(series != nil) THEN date END, date, starts_at,
                ends_at, rest_minutes, started_at, ended_at, memo, hourly_rate, has_night_allowance,
                has_holiday_allowance
            FROM unnest(\(drafts.map(\.date)), \(drafts.map(\.startsAt)), \(drafts.map(\.endsAt)),
                \(drafts.map(\.restMinutes)), \(drafts.map(\.startedAt)), \(drafts.map(\.endedAt)), \(drafts.map(\.memo)),
                \(drafts.map(\.terms.hourlyRate)), \(drafts.map(\.terms.hasNightAllowance)),
                \(drafts.map(\.terms.hasHolidayAllowance))) WITH ORDINALITY
                AS n (date, starts_at, ends_at, rest_minutes, started_at, ended_at, memo, hourly_rate,
                    has_night_allowance, has_holiday_allowance, number)
            ORDER BY number RETURNING id
            """
        ) { try $0.decode(ShiftID.self) }.sorted()
    }

    /// Replaces everything but the series.
    func update(_ id: ShiftID, to draft: ShiftDraft, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE shifts SET date = \(draft.date), starts_at = \(draft.startsAt), ends_at = \(draft.endsAt),
                rest_minutes = \(draft.restMinutes), started_at = \(draft.startedAt), ended_at = \(draft.endedAt),
                memo = \(draft.memo), hourly_rate = \(draft.terms.hourlyRate),
                has_night_allowance = \(draft.terms.hasNightAllowance),
                has_holiday_allowance = \(draft.terms.hasHolidayAllowance)
            WHERE id = \(id)
            """
        )
    }

    /// Deletes shifts with their routine links, completed tasks and clock-ins.
    func delete(_ ids: [ShiftID], in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM shifts WHERE id = ANY (\(ids))")
    }
}

extension ShiftRecord {
    typealias Columns = (
        ShiftID, WorkerID, WorkplaceID, SeriesID?, CivilDate?, CivilDate, Date, Date?, Int, Date?, Date?, String?
    )

    init(_ columns: Columns) {
        self.init(
            id: columns.0,
            worker: columns.1,
            workplace: columns.2,
            series: columns.3,
            seriesDate: columns.4,
            date: columns.5,
            startsAt: columns.6,
            endsAt: columns.7,
            restMinutes: columns.8,
            startedAt: columns.9,
            endedAt: columns.10,
            memo: columns.11
        )
    }
}
