import Postgres
import Testing

/// Whether the books agree.
enum LedgerAudit {
    /// Requires that every balance follows from the ledger, that the ledger sums to zero, and that what is in escrow is
    /// what open requests offer.
    static func check(_ database: PostgresClient) async throws {
        let wrong = try await database.all(
            """
            SELECT p.account_id FROM passengers p LEFT JOIN ledger_entries e ON e.holder = 'passenger/' || p.account_id
            GROUP BY p.account_id, p.credit HAVING p.credit <> coalesce(sum(e.amount), 0)
            """
        ) { try $0.decode(Int64.self) }
        #expect(wrong.isEmpty, "balances that the ledger does not explain: \(wrong)")
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
        #expect(escrows.isEmpty, "escrows of wrong amount: \(escrows)")
    }
}
