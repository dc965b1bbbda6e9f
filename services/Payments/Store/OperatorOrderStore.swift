import Contracts
import Postgres

/// SQL by which operators find orders. `OperatorOrderStore+details.swift` has what belongs to one.
struct OperatorOrderStore: Sendable {
    /// The orders that a text may mean, newest first.
    func find(_ text: String, limit: Int, in database: some Querying) async throws -> [Order] {
        let number = Int64(text) ?? 0
        return try await database.all(
            """
            SELECT \(Order.columns) FROM orders o WHERE o.id IN (
                SELECT \(number)
                UNION ALL SELECT id FROM orders WHERE code = \(text)
                UNION ALL SELECT id FROM orders WHERE public_id = \(text)
                UNION ALL SELECT order_id FROM payments WHERE imp_uid = \(text)
                UNION ALL SELECT c.id FROM payments p JOIN orders c ON c.code = p.merchant_uid WHERE p.imp_uid = \(text))
            ORDER BY o.id DESC LIMIT \(limit)
            """,
            Order.read
        )
    }

    /// The newest orders, of an account if one is given.
    ///
    /// - Parameters:
    ///   - state: nil for all.
    ///   - depth: The number of orders among which those of the state are looked for.
    func newest(
        _ state: Order.State?,
        of account: AccountID?,
        depth: Int,
        limit: Int,
        in database: some Querying
    ) async throws -> [Order] {
        let newest: SQL =
            if let account {
                "SELECT * FROM orders WHERE account_id = \(account) ORDER BY created_at DESC, id DESC LIMIT \(depth)"
            } else {
                "SELECT * FROM orders ORDER BY id DESC LIMIT \(depth)"
            }
        let filter: SQL = state.map { "WHERE o.state = \($0.rawValue)" } ?? ""
        return try await database.all(
            "SELECT \(Order.columns) FROM (\(newest)) o \(filter) ORDER BY o.id DESC LIMIT \(limit)",
            Order.read
        )
    }

    func order(_ id: OrderID, in database: some Querying) async throws -> Order? {
        try await database.optional("SELECT \(Order.columns) FROM orders o WHERE o.id = \(id)", Order.read)
    }

    /// Refunds that PortOne has not made yet, those that are due first.
    func pendingRefunds(limit: Int, in database: some Querying) async throws -> [OperatorsAPI.OrderDetails.Refund] {
        try await database.all(
            """
            SELECT \(Self.refundColumns) FROM refunds r JOIN payments p ON p.imp_uid = r.imp_uid
            WHERE r.done_at IS NULL ORDER BY r.due_at LIMIT \(limit)
            """,
            Self.refund
        )
    }

    /// Of tables or aliases `r` (refunds) and `p` (payments), for `refund`.
    static let refundColumns: SQL = """
        r.id, r.imp_uid, p.order_id, r.amount, p.currency, r.reason, extract(epoch FROM r.requested_at)::float8,
        extract(epoch FROM r.done_at)::float8, extract(epoch FROM r.due_at)::float8, r.attempts, r.last_error
        """

    static func refund(_ row: borrowing Row) throws -> OperatorsAPI.OrderDetails.Refund {
        try row.decode { columns in
            OperatorsAPI.OrderDetails.Refund(
                id: try columns.next(),
                impUID: try columns.next(),
                order: try columns.next(),
                amount: try columns.next(),
                currency: try columns.next(),
                reason: try columns.next(),
                requestedAt: try columns.next(),
                doneAt: try columns.next(),
                dueAt: try columns.next(),
                attempts: try columns.next(),
                lastError: try columns.next()
            )
        }
    }
}
