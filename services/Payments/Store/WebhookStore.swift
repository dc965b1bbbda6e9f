import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of PortOne's webhooks.
struct WebhookStore: Sendable {
    /// Stores a webhook: its payment is due. A repeated one is processed again, since the first may have been forged.
    ///
    /// - Parameter limit: The number of waiting payments that this service does not know; more are not stored.
    /// - Returns: Whether this service knows the payment.
    @discardableResult
    func save(
        _ notice: Webhook,
        at now: Date,
        unknownLimit limit: Int,
        in database: some Querying
    ) async throws -> Bool {
        let isKnown = try await database.optional(
            """
            WITH payment AS (
                SELECT EXISTS (SELECT 1 FROM payments WHERE imp_uid = \(notice.impUID))
                    OR EXISTS (SELECT 1 FROM orders WHERE code = \(notice.merchantUID)) AS is_known
            )
            INSERT INTO notices (imp_uid, merchant_uid, status, received_at, due_at, is_known)
            SELECT \(notice.impUID), \(notice.merchantUID), '', \(now), \(now), is_known FROM payment
            WHERE is_known OR (
                SELECT count(*) FROM (
                    SELECT 1 FROM notices WHERE due_at IS NOT NULL AND NOT is_known LIMIT \(limit)
                ) waiting
            ) < \(limit)
            ON CONFLICT (imp_uid, status, cancellation_id) DO UPDATE SET times = notices.times + 1,
                received_at = excluded.received_at, due_at = least(notices.due_at, excluded.due_at), attempts = 0,
                is_known = excluded.is_known
            RETURNING is_known
            """
        ) { try $0.decode(Bool.self) }
        return isKnown ?? false
    }

    /// Takes payments that are due and reserves them until `later`.
    ///
    /// - Parameter known: Whether this service knows the payments.
    func takeDue(
        known: Bool,
        at now: Date,
        limit: Int,
        until later: Date,
        in database: some Querying
    ) async throws -> [DueWebhook] {
        let known: SQL = known ? "is_known" : "NOT is_known"
        return try await database.all(
            """
            UPDATE notices SET due_at = \(later), attempts = attempts + 1 WHERE (imp_uid, status, cancellation_id) IN (
                SELECT imp_uid, status, cancellation_id FROM notices
                WHERE due_at IS NOT NULL AND due_at <= \(now) AND \(known)
                ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ) RETURNING imp_uid, merchant_uid, received_at, attempts
            """
        ) { row in
            let (impUID, code, receivedAt, attempts) = try row.decode(as: (ImpUID, String, Date, Int).self)
            return DueWebhook(impUID: impUID, merchantUID: code, receivedAt: receivedAt, attempts: attempts)
        }
    }

    /// Sets the time of the next attempt, nil for none, unless a webhook was received meanwhile.
    func rest(_ notice: DueWebhook, until instant: Date?, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE notices SET due_at = \(instant)
            WHERE imp_uid = \(notice.impUID) AND received_at <= \(notice.receivedAt)
            """
        )
    }

    /// Deletes a payment's webhooks, unless one was received meanwhile.
    func forget(_ notice: DueWebhook, in database: some Querying) async throws {
        try await database.execute(
            "DELETE FROM notices WHERE imp_uid = \(notice.impUID) AND received_at <= \(notice.receivedAt)"
        )
    }

    /// Deletes processed webhooks received before an instant.
    func prune(before instant: Date, in database: PostgresClient) async throws {
        try await database.prune("notices", where: "due_at IS NULL AND received_at < \(instant)")
    }
}
