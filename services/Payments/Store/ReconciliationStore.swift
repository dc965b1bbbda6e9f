import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of reconciliations.
struct ReconciliationStore: Sendable {
    /// Takes a day's run: a new one, or one that was interrupted and is resumed where it was.
    ///
    /// - Parameters:
    ///   - lease: Seconds for which no other replica takes it.
    ///   - page: The size of PortOne's pages in a run that has none.
    ///   - isForced: Whether a finished run is repeated, and whether the pause after a failure is skipped.
    /// - Returns: nil when the run is leased, has finished, or pauses.
    func begin(
        _ day: CivilDate,
        at now: Date,
        for lease: TimeInterval,
        page: Int,
        isForced: Bool,
        in database: PostgresClient
    ) async throws -> ReconciliationRun? {
        try await database.optional(
            """
            INSERT INTO comparisons AS c (day, started_at, leased_until) VALUES (\(day), \(now), \(now + lease))
            ON CONFLICT (day) DO UPDATE SET lease = c.lease + 1, leased_until = excluded.leased_until,
                started_at = CASE WHEN c.finished_at IS NULL THEN c.started_at ELSE excluded.started_at END,
                step = CASE WHEN c.finished_at IS NULL THEN c.step ELSE 'portone' END,
                cursor = CASE WHEN c.finished_at IS NULL THEN c.cursor ELSE '' END,
                payments = CASE WHEN c.finished_at IS NULL THEN c.payments ELSE 0 END, finished_at = NULL
            WHERE CASE WHEN c.finished_at IS NOT NULL THEN \(isForced)
                ELSE coalesce(c.leased_until <= \(now), true) AND (\(isForced) OR coalesce(c.retry_at <= \(now), true))
                END
            RETURNING lease, step, cursor
            """
        ) { row in
            let (lease, step, cursor) = try row.decode(as: (Int64, String, String).self)
            let position = ReconciliationRun.Position(step: step, cursor: cursor, page: page)
            return ReconciliationRun(day: day, lease: lease, position: position)
        }
    }

    /// Renews the lease of a run that goes on.
    ///
    /// - Returns: false when it has finished, nil when there is no such run, or another replica has taken it.
    func isOpen(_ run: ReconciliationRun, until lease: Date, in database: some Querying) async throws -> Bool? {
        try await database.optional(
            """
            UPDATE comparisons SET leased_until = CASE WHEN finished_at IS NULL THEN \(lease)::timestamptz END
            WHERE day = \(run.day) AND lease = \(run.lease) RETURNING finished_at IS NULL
            """
        ) { try $0.decode(Bool.self) }
    }

    /// Saves the result of a page and renews the lease.
    ///
    /// - Returns: false when the run was taken by another replica; nothing is saved then.
    func save(
        _ page: ReconciliationRun.Page,
        of run: ReconciliationRun,
        until lease: Date,
        in database: PostgresClient
    ) async throws -> Bool {
        let (step, cursor) = page.next.stored
        return try await database.transaction { transaction in
            let isMine =
                try await transaction.execute(
                    """
                    UPDATE comparisons SET step = \(step), cursor = \(cursor), leased_until = \(lease), failures = 0
                    WHERE day = \(run.day) AND lease = \(run.lease) AND finished_at IS NULL
                    """
                ) == 1
            guard isMine else { return false }
            if !page.seen.isEmpty {
                try await transaction.execute(
                    """
                    WITH seen AS (
                        INSERT INTO compared_payments (day, imp_uid)
                        SELECT \(run.day), imp_uid FROM unnest(\(page.seen)) AS imp_uid
                        ON CONFLICT DO NOTHING RETURNING 1
                    )
                    UPDATE comparisons SET payments = payments + (SELECT count(*) FROM seen) WHERE day = \(run.day)
                    """
                )
            }
            try await insert(page.differences, on: run.day, in: transaction)
            return true
        }
    }

    /// Releases a failed run. The next attempt is made after a pause of a minute, which doubles up to an hour.
    func postpone(_ run: ReconciliationRun, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE comparisons SET leased_until = NULL, failures = failures + 1,
                retry_at = \(now) + make_interval(secs => least(3600, 60 * 2 ^ least(failures, 6)))
            WHERE day = \(run.day) AND lease = \(run.lease) AND finished_at IS NULL
            """
        )
    }

    /// - Returns: false when the run was taken by another replica; nothing is saved then.
    func finish(
        _ run: ReconciliationRun,
        _ differences: [Difference],
        at now: Date,
        in database: PostgresClient
    ) async throws -> Bool {
        try await database.transaction { transaction in
            let isMine =
                try await transaction.execute(
                    """
                    UPDATE comparisons SET finished_at = \(now), leased_until = NULL
                    WHERE day = \(run.day) AND lease = \(run.lease) AND finished_at IS NULL
                    """
                ) == 1
            guard isMine else { return false }
            try await insert(differences.map { ($0, false) }, on: run.day, in: transaction)
            return true
        }
    }

    /// Deletes what a day's earlier run has found and seen.
    func clear(_ day: CivilDate, in database: some Querying) async throws {
        try await database.execute("DELETE FROM differences WHERE day = \(day)")
        try await clearSeen(day, in: database)
    }

    /// Deletes PortOne's payments of a day's run, in batches.
    func clearSeen(_ day: CivilDate, in database: some Querying) async throws {
        while try await database.execute(
            """
            DELETE FROM compared_payments WHERE day = \(day) AND imp_uid IN (
                SELECT imp_uid FROM compared_payments WHERE day = \(day) LIMIT 5000
            )
            """
        ) > 0 {}
    }

    private func insert(
        _ found: [(Difference, isMended: Bool)],
        on day: CivilDate,
        in transaction: PostgresTransaction
    ) async throws {
        guard !found.isEmpty else { return }
        try await transaction.execute(
            """
            INSERT INTO differences (day, imp_uid, kind, ours, theirs, is_mended)
            SELECT \(day), imp_uid, kind, ours, theirs, is_mended
            FROM unnest(\(found.map(\.0.impUID)), \(found.map(\.0.kind.rawValue)), \(found.map(\.0.ours)),
                \(found.map(\.0.theirs)), \(found.map(\.isMended))) AS d(imp_uid, kind, ours, theirs, is_mended)
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Payments in the order of `imp_uid`.
    struct Range: Sendable {
        /// Excluded.
        var after: String
        var through: String
    }

    /// The last `imp_uid` of the page after another, and the number of its payments; nil at the end.
    func page(
        after impUID: String,
        limit: Int,
        in database: some Querying
    ) async throws -> (last: String, count: Int)? {
        let (last, count) = try await database.one(
            """
            SELECT max(imp_uid), count(*) FROM (
                SELECT imp_uid FROM payments WHERE imp_uid > \(impUID) ORDER BY imp_uid LIMIT \(limit)
            ) page
            """
        ) { try $0.decode(String?.self, Int.self) }
        return last.map { ($0, count) }
    }

    /// Payments made in a period that a run has not seen at PortOne.
    func paid(
        _ range: Range,
        from start: Date,
        to end: Date,
        notSeenOn day: CivilDate,
        in database: some Querying
    ) async throws -> [ImpUID] {
        try await database.all(
            """
            SELECT imp_uid FROM payments p WHERE imp_uid > \(range.after) AND imp_uid <= \(range.through)
                AND created_at >= \(start) AND paid_at >= \(start) AND paid_at < \(end)
                AND NOT EXISTS (SELECT 1 FROM compared_payments c WHERE c.day = \(day) AND c.imp_uid = p.imp_uid)
            ORDER BY imp_uid
            """
        ) { try $0.decode(ImpUID.self) }
    }

    /// Payments whose rows disagree with the ledger. The ledger is read by index for each payment, whatever the planner
    /// estimates: `OFFSET 0` keeps it from joining the whole table.
    func unbalanced(_ range: Range, in database: some Querying) async throws -> [Difference] {
        try await database.all(
            """
            SELECT p.imp_uid, concat_ws(' ', p.paid - p.cancelled, p.paid - p.cancelled - p.due - p.sold, p.sold, p.due),
                concat_ws(' ', l.clearing, -l.unallocated, -l.sales, -l.refunds)
            FROM payments p CROSS JOIN LATERAL (
                SELECT coalesce(sum(e.amount) FILTER (WHERE e.account = 'clearing'), 0) AS clearing,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'unallocated'), 0) AS unallocated,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'sales'), 0) AS sales,
                    coalesce(sum(e.amount) FILTER (WHERE e.account = 'refunds'), 0) AS refunds
                FROM ledger_transactions t CROSS JOIN LATERAL (
                    SELECT account, amount FROM ledger_entries WHERE transaction_id = t.id OFFSET 0
                ) e
                WHERE t.imp_uid = p.imp_uid
            ) l
            WHERE p.imp_uid > \(range.after) AND p.imp_uid <= \(range.through)
                AND (l.clearing, -l.unallocated, -l.sales, -l.refunds)
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
