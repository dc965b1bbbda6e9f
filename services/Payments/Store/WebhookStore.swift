import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of PortOne's webhooks.
struct WebhookStore: Sendable {
    /// Stores a webhook. A repeated one is processed again, since the first may have been forged.
    func save(_ notice: Webhook, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO notices (imp_uid, merchant_uid, status, cancellation_id, received_at, due_at)
            VALUES (\(notice.impUID), \(notice.merchantUID), \(notice.status), \(notice.cancellation), \(now), \(now))
            ON CONFLICT (imp_uid, status, cancellation_id) DO UPDATE SET times = notices.times + 1,
                received_at = excluded.received_at, due_at = least(notices.due_at, excluded.due_at), attempts = 0
            """
        )
    }

    /// Takes due webhooks and reserves them until `later`.
    func takeDue(at now: Date, limit: Int, until later: Date, in database: some Querying) async throws -> [DueWebhook] {
        try await database.all(
            """
            UPDATE notices SET due_at = \(later), attempts = attempts + 1 WHERE (imp_uid, status, cancellation_id) IN (
                SELECT imp_uid, status, cancellation_id FROM notices WHERE due_at <= \(now)
                ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ) RETURNING imp_uid, status, cancellation_id, received_at, attempts
            """
        ) { row in
            let (impUID, status, cancellation, receivedAt, attempts) = try row.decode(
                as: (ImpUID, String, String, Date, Int).self
            )
            return DueWebhook(
                impUID: impUID,
                status: status,
                cancellation: cancellation,
                receivedAt: receivedAt,
                attempts: attempts
            )
        }
    }

    /// Sets the time of the next attempt, nil for none, unless the webhook was received again meanwhile.
    func rest(_ notice: DueWebhook, until instant: Date?, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE notices SET due_at = \(instant) WHERE imp_uid = \(notice.impUID) AND status = \(notice.status)
                AND cancellation_id = \(notice.cancellation) AND received_at = \(notice.receivedAt)
            """
        )
    }

    /// Deletes a webhook, unless it was received again meanwhile.
    func forget(_ notice: DueWebhook, in database: some Querying) async throws {
        try await database.execute(
            """
            DELETE FROM notices WHERE imp_uid = \(notice.impUID) AND status = \(notice.status)
                AND cancellation_id = \(notice.cancellation) AND received_at = \(notice.receivedAt)
            """
        )
    }

    /// Deletes processed webhooks received before an instant.
    func prune(before instant: Date, in database: PostgresClient) async throws {
        try await database.prune("notices", where: "due_at IS NULL AND received_at < \(instant)")
    }
}
