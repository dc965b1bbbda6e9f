import Contracts
import Postgres

/// SQL of series.
struct SeriesStore: Sendable {
    /// Inserts a series without shifts.
    func insert(_ recurrence: Recurrence, of worker: WorkerID, in transaction: PostgresTransaction) async throws
        -> SeriesID
    {
        try await transaction.one(
            """
            INSERT INTO series (worker_id, days, until)
            VALUES (\(worker), \(recurrence.days.rawValue), \(recurrence.until)) RETURNING id
            """
        ) { try $0.decode(SeriesID.self) }
    }

    /// Removes shifts from their series.
    func release(_ shifts: [ShiftID], in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE shifts SET series_id = NULL, series_date = NULL WHERE id = ANY (\(shifts))"
        )
    }

    /// Updates series from their remaining shifts, by the dates that the series assigned to them, even if they were
    /// moved. A series without shifts is deleted.
    func settle(_ ids: [SeriesID], in transaction: PostgresTransaction) async throws {
        _ = try await transaction.run(
            .execute(
                """
                UPDATE series e SET days = m.days, until = m.until
                FROM (
                    SELECT series_id, bit_or(1 << extract(isodow FROM series_date)::int - 1) AS days,
                        max(series_date) AS until
                    FROM shifts WHERE series_id = ANY (\(ids)) GROUP BY series_id
                ) m
                WHERE e.id = m.series_id AND (e.days, e.until) IS DISTINCT FROM (m.days, m.until)
                """
            ),
            .execute(
                """
                DELETE FROM series e
                WHERE e.id = ANY (\(ids)) AND NOT EXISTS (SELECT FROM shifts s WHERE s.series_id = e.id)
                """
            )
        )
    }
}
