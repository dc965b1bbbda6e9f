import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// What comparisons have found.
extension ReconciliationStore {
    /// nil for a day that was not compared.
    ///
    /// - Parameter limit: The number of differences.
    func result(
        of day: CivilDate,
        differences limit: Int = 10_000,
        in database: some Querying
    ) async throws -> Reconciliation.Result? {
        guard
            let (startedAt, finishedAt, payments) = try await database.optional(
                "SELECT started_at, finished_at, payments FROM comparisons WHERE day = \(day)",
                { try $0.decode(as: (Date, Date?, Int).self) }
            )
        else { return nil }
        let differences = try await database.all(
            """
            SELECT imp_uid, kind, ours, theirs, is_mended FROM differences WHERE day = \(day) ORDER BY imp_uid, kind
            LIMIT \(limit)
            """
        ) { row in try row.decode { try Self.difference(&$0) } }
        return Reconciliation.Result(
            day: day,
            startedAt: startedAt,
            finishedAt: finishedAt,
            payments: payments,
            differences: differences
        )
    }

    /// The results of the newest days.
    ///
    /// - Parameter limit: The number of differences of each day; those that remain come first.
    func newest(days: Int, differences limit: Int, in database: some Querying) async throws -> [Reconciliation.Result] {
        var results = try await database.all(
            "SELECT day, started_at, finished_at, payments FROM comparisons ORDER BY day DESC LIMIT \(days)"
        ) { row in
            let (day, startedAt, finishedAt, payments) = try row.decode(as: (CivilDate, Date, Date?, Int).self)
            return Reconciliation.Result(
                day: day,
                startedAt: startedAt,
                finishedAt: finishedAt,
                payments: payments,
                differences: []
            )
        }
        let found = try await database.all(
            """
            SELECT c.day, d.imp_uid, d.kind, d.ours, d.theirs, d.is_mended
            FROM unnest(\(results.map(\.day))) AS c(day) CROSS JOIN LATERAL (
                SELECT * FROM differences WHERE day = c.day ORDER BY is_mended, imp_uid, kind LIMIT \(limit)
            ) d
            ORDER BY c.day DESC, d.is_mended, d.imp_uid, d.kind
            """
        ) { row in
            try row.decode { columns in (try columns.next(CivilDate.self), try Self.difference(&columns)) }
        }
        let byDay = Dictionary(grouping: found) { $0.0 }
        for index in results.indices { results[index].differences = byDay[results[index].day]?.map(\.1) ?? [] }
        return results
    }

    private static func difference(_ columns: inout Columns) throws -> (Difference, isMended: Bool) {
        let difference = Difference(
            impUID: try columns.next(),
            kind: try columns.next(),
            ours: try columns.next(),
            theirs: try columns.next()
        )
        return (difference, isMended: try columns.next())
    }
}
