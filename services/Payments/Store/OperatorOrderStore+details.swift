import Contracts
import Postgres

/// What belongs to one order.
extension OperatorOrderStore {
    /// The payments with an order's code, and those that were assigned to it, newest first.
    func payments(of order: Order, limit: Int, in database: some Querying) async throws -> [Payment] {
        try await database.all(
            """
            SELECT \(Payment.columns) FROM payments p WHERE p.imp_uid IN (
                SELECT imp_uid FROM payments WHERE order_id = \(order.id)
                UNION ALL SELECT imp_uid FROM payments WHERE merchant_uid = \(order.code))
            ORDER BY p.created_at DESC, p.imp_uid LIMIT \(limit)
            """,
            Payment.read
        )
    }

    /// Newest first.
    func refunds(of payments: [ImpUID], limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.OrderDetails.Refund]
    {
        try await database.all(
            """
            SELECT \(Self.refundColumns) FROM refunds r JOIN payments p ON p.imp_uid = r.imp_uid
            WHERE r.imp_uid = ANY(\(payments.map(\.rawValue))) ORDER BY r.id DESC LIMIT \(limit)
            """,
            Self.refund
        )
    }

    /// Oldest first.
    func ledger(of payments: [ImpUID], limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.OrderDetails.Entry]
    {
        try await database.all(
            """
            SELECT t.id, t.imp_uid, t.kind, t.currency, extract(epoch FROM t.at)::float8, e.account, e.amount
            FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
            WHERE t.imp_uid = ANY(\(payments.map(\.rawValue))) ORDER BY t.id, e.account LIMIT \(limit)
            """
        ) { row in
            try row.decode { columns in
                OperatorsAPI.OrderDetails.Entry(
                    transaction: try columns.next(),
                    impUID: try columns.next(),
                    kind: try columns.next(),
                    currency: try columns.next(),
                    at: try columns.next(),
                    account: try columns.next(),
                    amount: try columns.next()
                )
            }
        }
    }

    /// Newest first.
    func audit(of order: Order, _ payments: [ImpUID], limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.OrderDetails.Note]
    {
        try await database.all(
            """
            SELECT extract(epoch FROM at)::float8, actor, action, imp_uid, detail FROM audit
            WHERE order_code = \(order.code) OR imp_uid = ANY(\(payments.map(\.rawValue)))
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            try row.decode { columns in
                OperatorsAPI.OrderDetails.Note(
                    at: try columns.next(),
                    actor: try columns.next(),
                    action: try columns.next(),
                    impUID: try columns.next(),
                    detail: try columns.next()
                )
            }
        }
    }

    func webhooks(of payments: [ImpUID], limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.OrderDetails.Webhook]
    {
        try await database.all(
            """
            SELECT imp_uid, extract(epoch FROM received_at)::float8, times, extract(epoch FROM due_at)::float8 FROM notices
            WHERE imp_uid = ANY(\(payments.map(\.rawValue))) ORDER BY received_at DESC LIMIT \(limit)
            """
        ) { row in
            let (impUID, receivedAt, times, dueAt) = try row.decode(as: (String, Double, Int, Double?).self)
            return OperatorsAPI.OrderDetails.Webhook(
                impUID: impUID,
                receivedAt: receivedAt,
                times: times,
                dueAt: dueAt
            )
        }
    }
}
