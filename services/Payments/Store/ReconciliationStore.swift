import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of reconciliation runs.
struct ReconciliationStore: Sendable {
    /// Begins a run, unless there is one.
    ///
    /// - Parameters:
    ///   - instant: An unfinished run that began later blocks a new one.
    ///   - again: Whether a finished run is repeated.
    func begin(
        _ day: CivilDate,
        at now: Date,
        unlessBegunAfter instant: Date,
        again: Bool,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            INSERT INTO comparisons AS c (day, started_at) VALUES (\(day), \(now))
            ON CONFLICT (day) DO UPDATE SET started_at = excluded.started_at, finished_at = NULL
                WHERE (c.finished_at IS NULL AND c.started_at <= \(instant)) OR (c.finished_at IS NOT NULL AND \(again))
            """
        ) == 1
    }

    /// Releases an unfinished run for another attempt.
    func giveUp(_ day: CivilDate, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE comparisons SET started_at = to_timestamp(0) WHERE day = \(day) AND finished_at IS NULL"
        )
    }

    func finish(
        _ day: CivilDate,
        payments: Int,
        _ found: [(Difference, isMended: Bool)],
        at now: Date,
        in database: PostgresClient
    ) async throws {
        try await database.transaction { transaction in
            try await transaction.execute("DELETE FROM differences WHERE day = \(day)")
            for (difference, isMended) in found {
                try await transaction.execute(
                    """
                    INSERT INTO differences (day, imp_uid, kind, ours, theirs, is_mended)
                    VALUES (\(day), \(difference.impUID), \(difference.kind.rawValue), \(difference.ours),
                        \(difference.theirs), \(isMended))
                    ON CONFLICT DO NOTHING
                    """
                )
            }
            try await transaction.execute(
                "UPDATE comparisons SET finished_at = \(now), payments = \(payments) WHERE day = \(day)"
            )
        }
    }

    func result(of day: CivilDate, in database: some Querying) async throws -> Reconciliation.Result? {
        guard
            let (startedAt, finishedAt, payments) = try await database.optional(
                "SELECT started_at, finished_at, payments FROM comparisons WHERE day = \(day)",
                { try $0.decode(as: (Date, Date?, Int).self) }
            )
        else { return nil }
        let differences = try await database.all(
            """
            SELECT imp_uid, kind, ours, theirs, is_mended FROM differences WHERE day = \(day) ORDER BY imp_uid, kind
            LIMIT 10000
            """
        ) { row in
            let (impUID, kind, ours, theirs, isMended) = try row.decode(
                as: (String, Difference.Kind, String?, String?, Bool).self
            )
            return (Difference(impUID: impUID, kind: kind, ours: ours, theirs: theirs), isMended: isMended)
        }
        return Reconciliation.Result(
            day: day,
            startedAt: startedAt,
            finishedAt: finishedAt,
            payments: payments,
            differences: differences
        )
    }

    /// Payments made in a period.
    func paid(from start: Date, to end: Date, in database: some Querying) async throws -> [ImpUID] {
        try await database.all(
            """
            SELECT imp_uid FROM payments WHERE created_at >= \(start) AND paid_at >= \(start) AND paid_at < \(end)
            ORDER BY created_at
            """
        ) { try $0.decode(ImpUID.self) }
    }

    /// Payments whose rows disagree with the ledger.
    func unbalanced(in database: some Querying) async throws -> [Difference] {
        try await database.all(
            """
            SELECT p.imp_uid, concat_ws(' ', p.paid - p.cancelled, p.paid - p.cancelled - p.due - p.sold, p.sold, p.due),
                concat_ws(' ', l.clearing, -l.unallocated, -l.sales, -l.refunds)
            FROM payments p LEFT JOIN (
                SELECT t.imp_uid,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'clearing'), 0) AS clearing,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'unallocated'), 0) AS unallocated,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'sales'), 0) AS sales,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'refunds'), 0) AS refunds
                FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id GROUP BY t.imp_uid
            ) l ON l.imp_uid = p.imp_uid
            WHERE (coalesce(l.clearing, 0), -coalesce(l.unallocated, 0), -coalesce(l.sales, 0), -coalesce(l.refunds, 0))
                IS DISTINCT FROM (p.paid - p.cancelled, p.paid - p.cancelled - p.due - p.sold, p.sold, p.due)
            """
        ) { row in
            let (impUID, ours, ledger) = try row.decode(as: (String, String, String).self)
            return Difference(impUID: impUID, kind: .ledger, ours: ours, theirs: ledger)
        }
    }

    /// Refunds requested before an instant and not made.
    func overdue(before instant: Date, in database: some Querying) async throws -> [Difference] {
        try await database.all(
            """
            SELECT imp_uid, sum(amount)::bigint::text, max(last_error) FROM refunds
            WHERE done_at IS NULL AND requested_at < \(instant) GROUP BY imp_uid
            """
        ) { row in
            let (impUID, amount, error) = try row.decode(as: (String, String, String?).self)
            return Difference(impUID: impUID, kind: .refundOverdue, ours: amount, theirs: error)
        }
    }
}

extension Difference.Kind: PostgresDecodable {}
