import Postgres

/// All SQL of series.
struct SeriesStore: Sendable {
    /// Begins a series; its shifts follow.
    func insert(_ recurrence: Recurrence, of worker: Int64, in transaction: PostgresTransaction) async throws -> Int64 {
        try await transaction.one(
            """
            INSERT INTO series (worker_id, days, until)
            VALUES (\(worker), \(recurrence.days.rawValue), \(recurrence.until)) RETURNING id
            """
        ) { try $0.decode(Int64.self) }
    }

    /// Lets shifts go on by themselves.
    func release(_ shifts: [Int64], in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE shifts SET series_id = NULL, series_date = NULL WHERE id = ANY (\(shifts))"
        )
    }

    /// Lets series say what is left of them: by the days where they had placed their shifts, wherever these were moved. A
    /// series of which nothing is left goes.
    func settle(_ ids: [Int64], in transaction: PostgresTransaction) async throws {
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
