import FoundationEssentials
import Postgres

/// SQL that deletes old rows, each statement up to a number of rows. Rows that are in use are left for the next round.
struct RetentionStore: Sendable {
    /// Number of rows per statement.
    var limit = 500

    /// Deletes attempts to pay that no money came of.
    func deleteUnpaidPayments(before instant: Date, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM payments p WHERE imp_uid IN (
                SELECT imp_uid FROM payments WHERE paid = 0 AND created_at < \(instant)
                ORDER BY created_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            """
        )
    }

    /// Deletes orders that were not paid for.
    func deleteExpiredOrders(before instant: Date, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            WITH old AS MATERIALIZED (
                SELECT id FROM orders o WHERE state = 'expired' AND updated_at < \(instant)
                    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id)
                    AND NOT EXISTS (SELECT 1 FROM checkout_pages c WHERE c.order_id = o.id)
                ORDER BY updated_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            DELETE FROM orders WHERE id IN (SELECT id FROM old)
            """
        )
    }

    /// Empties the receipts of payments, which name the buyer and the card.
    func eraseReceipts(before instant: Date, at now: Date, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            UPDATE payments SET receipt = \(PostgresJSON(Receipt())), receipt_erased_at = \(now) WHERE imp_uid IN (
                SELECT imp_uid FROM payments WHERE receipt_erased_at IS NULL AND created_at < \(instant)
                ORDER BY created_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            """
        )
    }

    func deleteAudit(before instant: Date, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM audit WHERE id IN (
                SELECT id FROM audit WHERE at < \(instant) ORDER BY at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            """
        )
    }

    /// Deletes payments with all that belongs to them. One whose ledger has a younger transaction is kept with it.
    func deletePayments(before instant: Date, in database: PostgresClient) async throws -> Int {
        try await database.transaction { transaction in
            let old = try await transaction.all(
                """
                SELECT p.imp_uid, p.order_id FROM payments p
                WHERE p.created_at < \(instant) AND NOT EXISTS (
                    SELECT 1 FROM ledger_transactions t WHERE t.imp_uid = p.imp_uid AND t.at >= \(instant)
                )
                ORDER BY p.created_at LIMIT \(limit) FOR UPDATE OF p SKIP LOCKED
                """
            ) { try $0.decode(as: (String, Int64?).self) }
            guard !old.isEmpty else { return 0 }
            let (impUIDs, orders) = (old.map(\.0), old.compactMap(\.1))
            try await transaction.execute(
                """
                DELETE FROM ledger_entries WHERE transaction_id IN (
                    SELECT id FROM ledger_transactions WHERE imp_uid = ANY(\(impUIDs))
                )
                """
            )
            try await transaction.execute("DELETE FROM ledger_transactions WHERE imp_uid = ANY(\(impUIDs))")
            try await transaction.execute("DELETE FROM refunds WHERE imp_uid = ANY(\(impUIDs))")
            let count = try await transaction.execute("DELETE FROM payments WHERE imp_uid = ANY(\(impUIDs))")
            try await transaction.execute(
                """
                DELETE FROM orders o WHERE id = ANY(\(orders)) AND state <> 'open'
                    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id)
                """
            )
            return count
        }
    }

    func deleteReconciliations(before instant: Date, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM comparisons WHERE day IN (
                SELECT day FROM comparisons WHERE started_at < \(instant) ORDER BY day LIMIT \(limit)
            )
            """
        )
    }
}
