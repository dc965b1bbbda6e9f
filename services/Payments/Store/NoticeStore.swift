import FoundationEssentials
import Postgres

/// All SQL of PortOne's webhooks.
struct NoticeStore: Sendable {
    /// Keeps what was told. The same, told again, is looked into again: the first time somebody else may have told it.
    func save(_ notice: Notice, at now: Date, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO notices (imp_uid, merchant_uid, status, cancellation_id, received_at, due_at)
            VALUES (\(notice.impUID), \(notice.merchantUID), \(notice.status), \(notice.cancellation), \(now), \(now))
            ON CONFLICT (imp_uid, status, cancellation_id) DO UPDATE SET times = notices.times + 1,
                received_at = excluded.received_at, due_at = least(notices.due_at, excluded.due_at), attempts = 0
            """
        )
    }

    /// Takes payments that PortOne has told of, and keeps others off them until `later`.
    func takeDue(at now: Date, limit: Int, until later: Date, in database: some Querying) async throws -> [DueNotice] {
        try await database.all(
            """
            UPDATE notices SET due_at = \(later), attempts = attempts + 1 WHERE (imp_uid, status, cancellation_id) IN (
                SELECT imp_uid, status, cancellation_id FROM notices WHERE due_at <= \(now)
                ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ) RETURNING imp_uid, status, cancellation_id, received_at, attempts
            """
        ) { row in
            let (impUID, status, cancellation, receivedAt, attempts) = try row.decode(
                as: (String, String, String, Date, Int).self
            )
            return DueNotice(
                impUID: impUID,
                status: status,
                cancellation: cancellation,
                receivedAt: receivedAt,
                attempts: attempts
            )
        }
    }

    /// Lets a notice rest, unless it was told again meanwhile, or for a while.
    func rest(_ notice: DueNotice, until instant: Date?, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE notices SET due_at = \(instant) WHERE imp_uid = \(notice.impUID) AND status = \(notice.status)
                AND cancellation_id = \(notice.cancellation) AND received_at = \(notice.receivedAt)
            """
        )
    }

    /// Forgets a notice, unless it was told again meanwhile.
    func forget(_ notice: DueNotice, in database: some Querying) async throws {
        try await database.execute(
            """
            DELETE FROM notices WHERE imp_uid = \(notice.impUID) AND status = \(notice.status)
                AND cancellation_id = \(notice.cancellation) AND received_at = \(notice.receivedAt)
            """
        )
    }

    /// Forgets what was looked into before an instant.
    func prune(before instant: Date, in database: some Querying) async throws {
        try await database.execute("DELETE FROM notices WHERE due_at IS NULL AND received_at < \(instant)")
    }
}
