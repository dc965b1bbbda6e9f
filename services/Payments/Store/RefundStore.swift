import FoundationEssentials
import Postgres

/// SQL of refunds.
struct RefundStore: Sendable {
    /// - Throws: `PaymentsError.keyReused` when a concurrent refund has used the key.
    func insert(_ refund: RefundDraft, of impUID: ImpUID, at now: Date, in transaction: PostgresTransaction)
        async throws
    {
        let made = try await transaction.execute(
            """
            INSERT INTO refunds (imp_uid, amount, reason, request_key, requested_at, due_at)
            VALUES (\(impUID), \(refund.amount), \(refund.reason), \(refund.key), \(now), \(now))
            ON CONFLICT (request_key) DO NOTHING
            """
        )
        guard made == 1 else { throw PaymentsError.keyReused }
    }

    /// Whether a refund with this key exists. The payment must be locked.
    ///
    /// - Throws: `PaymentsError.keyReused` when it belongs to another payment.
    func isKnown(_ key: String, of impUID: ImpUID, in transaction: PostgresTransaction) async throws -> Bool {
        let known = try await transaction.optional("SELECT imp_uid FROM refunds WHERE request_key = \(key)") {
            try $0.decode(ImpUID.self)
        }
        guard known == nil || known == impUID else { throw PaymentsError.keyReused }
        return known != nil
    }

    /// Marks all refunds of a payment as done.
    func finishAll(of impUID: ImpUID, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE refunds SET done_at = \(now), due_at = NULL WHERE imp_uid = \(impUID) AND done_at IS NULL"
        )
    }

    // MARK: Execution

    /// Takes due refunds, the first of each payment, and reserves them until `later`.
    func takeDue(at now: Date, limit: Int, until later: Date, in database: some Querying) async throws -> [Refund] {
        try await database.all(
            """
            UPDATE refunds SET due_at = \(later), attempts = attempts + 1 WHERE id IN (
                SELECT r.id FROM refunds r
                WHERE r.done_at IS NULL AND r.due_at <= \(now) AND NOT EXISTS (
                    SELECT 1 FROM refunds earlier
                    WHERE earlier.imp_uid = r.imp_uid AND earlier.id < r.id AND earlier.done_at IS NULL
                )
                ORDER BY r.due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ) RETURNING id, imp_uid, amount, reason, attempts
            """
        ) { row in
            let (id, impUID, amount, reason, attempts) = try row.decode(as: (RefundID, ImpUID, Int64, String, Int).self)
            return Refund(id: id, impUID: impUID, amount: amount, reason: reason, attempts: attempts)
        }
    }

    func finish(_ id: RefundID, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE refunds SET done_at = \(now), due_at = NULL WHERE id = \(id) AND done_at IS NULL"
        )
    }

    func putOff(_ id: RefundID, until instant: Date, because error: String, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE refunds SET due_at = \(instant), last_error = \(error) WHERE id = \(id) AND done_at IS NULL"
        )
    }

    /// The amount of a payment still to be refunded, in the smallest unit of its currency.
    func due(of impUID: ImpUID, in database: some Querying) async throws -> Int64 {
        try await database.one("SELECT due FROM payments WHERE imp_uid = \(impUID)") { try $0.decode(Int64.self) }
    }
}
