import Contracts
import FoundationEssentials
import Postgres

/// SQL of checkout pages.
struct CheckoutStore: Sendable {
    func insert(
        _ hash: [UInt8],
        for order: Order,
        until end: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO checkout_pages (token_hash, order_id, account_id, expires_at)
            VALUES (\(hash), \(order.id), \(order.account), \(end))
            """
        )
    }

    /// The order and expiry of a page; nil when the page has expired or belongs to another order.
    func order(
        _ code: String,
        ofPage hash: [UInt8],
        at now: Date,
        in database: some Querying
    ) async throws -> (Order, end: Date)? {
        try await database.optional(
            """
            SELECT \(Order.columns), c.expires_at
            FROM checkout_pages c JOIN orders o ON o.id = c.order_id AND o.account_id = c.account_id
            WHERE c.token_hash = \(hash) AND c.expires_at > \(now) AND o.code = \(code)
            """
        ) { row in
            try row.decode { columns in (try Order(&columns), end: try columns.next()) }
        }
    }

    /// Deletes up to 100 expired pages, except those that concurrent transactions delete.
    func delete(before now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            DELETE FROM checkout_pages WHERE token_hash IN (
                SELECT token_hash FROM checkout_pages WHERE expires_at <= \(now)
                ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)
            """
        )
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM checkout_pages WHERE account_id = \(account)")
    }
}
