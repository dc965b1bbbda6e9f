import Postgres
import Testing

/// Checks the credit ledger.
enum LedgerAudit {
    /// Requires that every balance equals the sum of its ledger entries, that the ledger sums to zero, and that each
    /// escrow equals the amount of its open request.
    static func check(_ database: PostgresClient) async throws {
        let wrong = try await database.all(
            """
            SELECT p.account_id FROM passengers p LEFT JOIN ledger_entries e ON e.holder = 'passenger/' || p.account_id
            GROUP BY p.account_id, p.credit HAVING p.credit <> coalesce(sum(e.amount), 0)
            """
        ) { try $0.decode(Int64.self) }
        #expect(wrong.isEmpty, "balances that differ from the ledger: \(wrong)")
        let sum = try await database.one("SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries") {
            try $0.decode(Int64.self)
        }
        #expect(sum == 0)
        let escrows = try await database.all(
            """
            SELECT r.id FROM yield_requests r LEFT JOIN ledger_entries e ON e.holder = 'escrow/' || r.id
            GROUP BY r.id HAVING coalesce(sum(e.amount), 0) <> CASE WHEN r.status = 'PENDING' THEN r.amount ELSE 0 END
            """
        ) { try $0.decode(Int64.self) }
        #expect(escrows.isEmpty, "escrows with a wrong amount: \(escrows)")
    }
}
