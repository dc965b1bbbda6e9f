import Contracts
import FoundationEssentials
import Postgres
import ServiceKit

extension OrderStore {
    /// An account's paid orders of Anlaka, newest first.
    func paid(by account: AccountID, after cursor: PageCursor?, limit: Int, in database: some Querying) async throws
        -> [(Order, PageCursor)]
    {
        try await database.all(
            """
            SELECT \(Order.columns) FROM orders o
            WHERE o.account_id = \(account) AND o.app = 'anlaka' AND o.state = 'paid' AND o.paid_at IS NOT NULL
                AND (\(cursor == nil) OR (o.paid_at, o.id) < (\(cursor?.instant), \(cursor?.id)))
            ORDER BY o.paid_at DESC, o.id DESC LIMIT \(limit + 1)
            """
        ) { row in
            let order = try Order.read(row)
            return (order, PageCursor(order.paidAt ?? order.createdAt, order.id.rawValue))
        }
    }

    /// An account's purchases in Seoul Culture with their payments, newest first.
    func purchases(of account: AccountID, limit: Int, in database: some Querying) async throws -> [(Order, Payment)] {
        try await database.all(
            """
            SELECT \(Order.columns), \(Payment.columns)
            FROM orders o JOIN payments p ON p.order_id = o.id AND p.verdict = 'confirmed'
            WHERE o.account_id = \(account) AND o.app = 'culture' AND o.state = 'paid' AND o.paid_at IS NOT NULL
            ORDER BY o.paid_at DESC, o.id DESC LIMIT \(limit)
            """
        ) { row in
            try row.decode { columns in (try Order(&columns), try Payment(&columns)) }
        }
    }

    /// An account's open orders, locked in the order of their IDs.
    func lockOpen(of account: AccountID, in transaction: PostgresTransaction) async throws -> [Order] {
        try await transaction.all(
            """
            SELECT \(Order.columns) FROM orders o WHERE o.account_id = \(account) AND o.state = 'open'
            ORDER BY o.id FOR UPDATE
            """,
            Order.read
        )
    }

    // MARK: Polling

    /// Takes orders that are due for a check, and reserves them until `later`.
    ///
    /// - Returns: Their codes.
    func takeDue(at now: Date, limit: Int, until later: Date, in database: some Querying) async throws -> [String] {
        try await database.all(
            """
            UPDATE orders SET check_at = \(later) WHERE id IN (
                SELECT id FROM orders WHERE check_at <= \(now) ORDER BY check_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ) RETURNING code
            """
        ) { try $0.decode(String.self) }
    }

    /// Sets the time of the next check; nil for none.
    func check(_ id: OrderID, at instant: Date?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE orders SET check_at = \(instant) WHERE id = \(id)")
    }
}
