import FoundationEssentials
import Postgres

/// SQL of payments and of the ledger.
struct PaymentStore: Sendable {
    func insertIfNew(_ payment: Payment) -> Statement<Int> {
        .execute(
            """
            INSERT INTO payments (imp_uid, public_id, merchant_uid, status, currency, amount, receipt, created_at)
            VALUES (\(payment.impUID), \(payment.publicID), \(payment.merchantUID), 'ready', \(payment.money.currency),
                \(payment.money.amount), \(PostgresJSON(payment.receipt)), \(payment.createdAt))
            ON CONFLICT (imp_uid) DO NOTHING
            """
        )
    }

    /// Locks a payment until the transaction ends.
    ///
    /// - Throws: `PaymentsError.paymentUnknown`.
    func lock(_ impUID: ImpUID, in transaction: PostgresTransaction) async throws -> Payment {
        guard let payment = try await transaction.run(lock(impUID)) else { throw PaymentsError.paymentUnknown }
        return payment
    }

    func lock(_ impUID: ImpUID) -> Statement<Payment?> {
        .optional("SELECT \(Payment.columns) FROM payments p WHERE p.imp_uid = \(impUID) FOR UPDATE", Payment.read)
    }

    func find(_ impUID: ImpUID, in database: some Querying) async throws -> Payment? {
        try await database.optional(
            "SELECT \(Payment.columns) FROM payments p WHERE p.imp_uid = \(impUID)",
            Payment.read
        )
    }

    /// Those of the payments that are stored.
    func find(_ impUIDs: [ImpUID], in database: some Querying) async throws -> [ImpUID: Payment] {
        let payments = try await database.all(
            "SELECT \(Payment.columns) FROM payments p WHERE p.imp_uid = ANY(\(impUIDs.map(\.rawValue)))",
            Payment.read
        )
        return Dictionary(uniqueKeysWithValues: payments.map { ($0.impUID, $0) })
    }

    func merchantUID(of impUID: ImpUID, in database: some Querying) async throws -> String? {
        try await database.optional("SELECT merchant_uid FROM payments WHERE imp_uid = \(impUID)") {
            try $0.decode(String.self)
        }
    }

    /// A payment that is assigned to an order, with the order.
    func payment(_ impUID: ImpUID, in database: some Querying) async throws -> (Order, Payment)? {
        try await database.optional(
            """
            SELECT \(Order.columns), \(Payment.columns) FROM payments p JOIN orders o ON o.id = p.order_id
            WHERE p.imp_uid = \(impUID)
            """
        ) { row in
            try row.decode { columns in (try Order(&columns), try Payment(&columns)) }
        }
    }

    /// The payment of an order: the one that has paid for it, or else the latest.
    func payment(of order: OrderID, in database: some Querying) async throws -> Payment? {
        try await database.optional(
            """
            SELECT \(Payment.columns) FROM payments p WHERE p.order_id = \(order)
            ORDER BY (p.verdict = 'confirmed') IS TRUE DESC, p.created_at DESC, p.imp_uid DESC LIMIT 1
            """,
            Payment.read
        )
    }

    func update(_ payment: Payment) -> Statement<Int> {
        let balance = payment.balance
        return .execute(
            """
            UPDATE payments SET order_id = \(payment.order), status = \(payment.status.rawValue),
                amount = \(payment.money.amount), currency = \(payment.money.currency), paid = \(balance.paid),
                cancelled = \(balance.cancelled), due = \(balance.due), sold = \(balance.sold),
                paid_at = \(payment.paidAt), verdict = \(payment.verdict?.rawValue),
                decided_at = \(payment.decidedAt), receipt = \(PostgresJSON(payment.receipt))
            WHERE imp_uid = \(payment.impUID)
            """
        )
    }

    /// Inserts ledger transactions and their entries. Each kind may occur once.
    func post(_ movements: [PaymentChanges.Movement], of payment: Payment, at now: Date) -> Statement<Int> {
        let entries = movements.flatMap { movement in
            movement.entries.sorted { $0.key.rawValue < $1.key.rawValue }.map { (movement.kind, $0.key, $0.value) }
        }
        return .execute(
            """
            WITH movements AS (
                INSERT INTO ledger_transactions (imp_uid, kind, currency, at)
                SELECT \(payment.impUID), kind, \(payment.money.currency), \(now)
                FROM unnest(\(movements.map(\.kind.rawValue))) WITH ORDINALITY AS m(kind, place) ORDER BY place
                RETURNING id, kind
            )
            INSERT INTO ledger_entries (transaction_id, account, amount)
            SELECT movements.id, e.account, e.amount
            FROM unnest(\(entries.map(\.0.rawValue)), \(entries.map(\.1.rawValue)), \(entries.map(\.2)))
                AS e(kind, account, amount) JOIN movements ON movements.kind = e.kind
            """
        )
    }

    /// Payments made before an instant that no user has claimed.
    ///
    /// - Parameter shape: A regular expression for the `merchant_uid`s of this service.
    func unclaimed(paidBefore instant: Date, shape: String, limit: Int, in database: some Querying) async throws
        -> [ImpUID]
    {
        try await database.all(
            """
            SELECT imp_uid FROM payments
            WHERE verdict IS NULL AND order_id IS NULL AND paid > cancelled AND status = 'paid' AND paid_at < \(instant)
                AND merchant_uid ~ \(shape)
            ORDER BY paid_at LIMIT \(limit)
            """
        ) { try $0.decode(ImpUID.self) }
    }
}

extension Payment {
    /// The columns of a payment, for a table or alias `p`.
    static let columns: SQL =
        """
        p.imp_uid, p.public_id, p.merchant_uid, p.order_id, p.status, p.amount, p.currency, p.paid, p.cancelled,
        p.due, p.sold, p.paid_at, p.verdict, p.decided_at, p.receipt, p.created_at
        """

    /// Reads `columns`.
    init(_ columns: inout Columns) throws {
        self.init(
            impUID: try columns.next(),
            publicID: try columns.next(),
            merchantUID: try columns.next(),
            order: try columns.next(),
            status: try columns.next(),
            money: Money(amount: try columns.next(), currency: try columns.next()),
            balance: Balance(
                paid: try columns.next(),
                cancelled: try columns.next(),
                due: try columns.next(),
                sold: try columns.next()
            ),
            paidAt: try columns.next(),
            verdict: try columns.next(),
            decidedAt: try columns.next(),
            receipt: try columns.next(PostgresJSON<Receipt>.self).value,
            createdAt: try columns.next()
        )
    }

    static func read(_ row: borrowing Row) throws -> Payment {
        try row.decode { try Payment(&$0) }
    }
}

extension PaymentReport.Status: PostgresDecodable {}
extension PaymentVerification: PostgresDecodable {}
