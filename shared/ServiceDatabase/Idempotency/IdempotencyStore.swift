import Contracts
import FoundationEssentials
import NIOCore
import Postgres

/// SQL of requests with idempotency keys: the table `requests` of a service.
struct IdempotencyStore: Sendable {
    /// Reserves a request for this process, unless another one has reserved or answered it.
    ///
    /// - Returns: nil when it is reserved; otherwise its stored state.
    func take(_ request: IdempotentRequest, at now: Date, until end: Date, in database: some Querying) async throws
        -> RequestRecord?
    {
        let isTaken = try await database.execute(
            """
            INSERT INTO requests AS r (account_id, key, fingerprint, busy_until, created_at)
            VALUES (\(request.account), \(request.key), \(request.fingerprint), \(end), \(now))
            ON CONFLICT (account_id, key) DO UPDATE SET busy_until = excluded.busy_until
                WHERE r.fingerprint = excluded.fingerprint AND r.busy_until < \(now)
            """
        )
        guard isTaken == 0 else { return nil }
        return try await database.optional(
            """
            SELECT fingerprint, status, content_type, location, body FROM requests
            WHERE account_id = \(request.account) AND key = \(request.key)
            """
        ) { row in
            let (fingerprint, status, type, location, body) = try row.decode(
                as: ([UInt8], Int?, String?, String?, ByteBuffer?).self
            )
            let answer = status.map {
                RecordedResponse(status: $0, contentType: type, location: location, body: body ?? ByteBuffer())
            }
            return RequestRecord(fingerprint: fingerprint, answer: answer)
        } ?? RequestRecord(fingerprint: request.fingerprint, answer: nil)
    }

    func finish(_ request: IdempotentRequest, _ answer: RecordedResponse, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE requests SET busy_until = NULL, status = \(answer.status), content_type = \(answer.contentType),
                location = \(answer.location), body = \(answer.body)
            WHERE account_id = \(request.account) AND key = \(request.key) AND status IS NULL
            """
        )
    }

    func release(_ request: IdempotentRequest, in database: some Querying) async throws {
        try await database.execute(
            "DELETE FROM requests WHERE account_id = \(request.account) AND key = \(request.key) AND status IS NULL"
        )
    }

    /// Deletes requests created before an instant.
    func prune(before instant: Date, in database: PostgresClient) async throws {
        try await database.prune("requests", where: "created_at < \(instant)")
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM requests WHERE account_id = \(account)")
    }
}
