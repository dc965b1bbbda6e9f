import Postgres
import TestKit

/// Checks the ledger's invariants.
struct RoundsLedger: Sendable {
    let database: PostgresClient
    let record: RoundsRecord

    /// Checks the latest transactions every 200 ms until the task is cancelled, and all of them every 20 times.
    func watch() async {
        var count = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(200))
            await sample(latest: count.isMultiple(of: 20) ? nil : 1000)
            count += 1
        }
    }

    /// - Parameter latest: the number of latest transactions whose payments are checked; nil for all.
    func sample(latest: Int64? = nil) async {
        do {
            let (sum, unbalanced, disagreeing) = try await database.one(Self.sample(latest)) {
                try $0.decode(as: (Int64, Int64, String?).self)
            }
            record.count(latest == nil ? "samples of all" : "samples")
            if sum != 0 { record.defect("all entries of the ledger sum to \(sum)") }
            if unbalanced != 0 { record.defect("\(unbalanced) transactions of the ledger do not balance") }
            if let disagreeing { record.defect("the ledger disagrees with the payments \(disagreeing)") }
        } catch {
            record.count("samples lost")
        }
    }

    private static func sample(_ latest: Int64?) -> SQL {
        """
        WITH looked_at AS (
            SELECT DISTINCT imp_uid FROM ledger_transactions
            WHERE id > (SELECT coalesce(max(id), 0) FROM ledger_transactions) - \(latest ?? Int64.max / 2)
        ), balances AS (
            SELECT t.imp_uid,
                coalesce(sum(e.amount) FILTER (WHERE e.account = 'clearing'), 0) AS clearing,
                coalesce(sum(e.amount) FILTER (WHERE e.account = 'unallocated'), 0) AS unallocated,
                coalesce(sum(e.amount) FILTER (WHERE e.account = 'sales'), 0) AS sales,
                coalesce(sum(e.amount) FILTER (WHERE e.account = 'refunds'), 0) AS refunds
            FROM looked_at JOIN ledger_transactions t USING (imp_uid) JOIN ledger_entries e ON e.transaction_id = t.id
            GROUP BY t.imp_uid
        )
        SELECT (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries),
            (SELECT count(*) FROM (
                SELECT 1 FROM ledger_entries GROUP BY transaction_id HAVING sum(amount) <> 0
            ) unbalanced),
            (SELECT string_agg(p.imp_uid, ' ') FROM payments p LEFT JOIN balances b USING (imp_uid)
                WHERE (b.imp_uid IS NOT NULL OR (\(latest == nil) AND p.paid > 0)) AND (
                    coalesce(b.clearing, 0) <> p.paid - p.cancelled
                    OR coalesce(b.unallocated, 0) <> -(p.paid - p.cancelled - p.due - p.sold)
                    OR coalesce(b.sales, 0) <> -p.sold OR coalesce(b.refunds, 0) <> -p.due
                ))
        """
    }
}
