import Postgres
import ServiceDatabase

/// SQL that deletes old rows, at most `limit` of a table in a call. Ids ascend with time, so the rows with the lowest ids are
/// the oldest.
struct RetentionStore: Sendable {
    /// Claims of rewards matter on their service day, and for a claw-back on the next one.
    func deleteRewards(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM rewards WHERE (account_id, train_code, service_date) IN (
                SELECT account_id, train_code, service_date FROM rewards
                WHERE service_date < service_date() - 90 ORDER BY service_date LIMIT \(limit))
            """
        )
    }

    func deleteRequests(limit: Int, in database: some Querying) async throws -> Int {
        try await delete(
            "yield_requests",
            "status <> 'PENDING' AND created_at < now() - interval '90 days'",
            limit,
            database
        )
    }

    /// Paths and journeys, with their unlocks.
    func deleteJourneys(limit: Int, in database: some Querying) async throws -> Int {
        try await delete(
            "journeys",
            """
            status <> 'ACTIVE' AND created_at < now() - interval '1 year'
                AND NOT EXISTS (SELECT FROM occupancies o WHERE o.journey_id = oldest.id)
            """,
            limit,
            database
        )
    }

    func deleteReports(limit: Int, in database: some Querying) async throws -> Int {
        try await delete("reports", "created_at < now() - interval '3 years'", limit, database)
    }

    private func delete(
        _ table: String,
        _ isOld: SQL,
        _ limit: Int,
        _ database: some Querying
    ) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM \(identifier: table) WHERE id IN (
                SELECT id FROM (SELECT * FROM \(identifier: table) ORDER BY id LIMIT \(limit)) AS oldest
                WHERE \(isOld))
            """
        )
    }

    /// Replaces transfers older than a year by one for each holder whose balance they have changed. Balances stay as they
    /// are, and the sum of all entries stays zero.
    ///
    /// - Returns: the number of replaced transfers.
    func foldTransfers(limit: Int, in database: some Querying) async throws -> Int {
        try await database.one(
            """
            WITH oldest AS (
                SELECT id, at FROM transfers ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            ), folded AS (
                DELETE FROM transfers WHERE id IN (SELECT id FROM oldest WHERE at < now() - interval '1 year')
                RETURNING debit, credit, amount
            ), balances AS (
                SELECT holder, sum(amount)::bigint AS amount FROM (
                    SELECT debit AS holder, -amount AS amount FROM folded
                    UNION ALL SELECT credit, amount FROM folded) AS entries
                WHERE holder <> \(Transfer.house) GROUP BY holder HAVING sum(amount) <> 0
            ), kept AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT 'BALANCE', CASE WHEN amount > 0 THEN \(Transfer.house) ELSE holder END,
                    CASE WHEN amount > 0 THEN holder ELSE \(Transfer.house) END, abs(amount)
                FROM balances
            )
            SELECT count(*) FROM folded
            """
        ) { try $0.decode(Int.self) }
    }

    /// Messages older than an hour, which no subscriber can have missed, are dropped.
    static let messages = TimePartitions(of: "live_messages", by: "created_at", per: .hour, keep: 3600)

    /// Revoked sessions whose tokens have expired.
    func deleteRevokedSessions(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM revoked_sessions WHERE session IN (
                SELECT session FROM revoked_sessions WHERE revoked_at < now() - interval '2 days'
                ORDER BY revoked_at LIMIT \(limit))
            """
        )
    }

    /// Alerts that could not be sent for a day, and are of no use any more.
    func deleteAlerts(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM alerts WHERE id IN (
                SELECT id FROM alerts WHERE due_at < now() - interval '1 day' ORDER BY due_at LIMIT \(limit)
                FOR UPDATE SKIP LOCKED)
            """
        )
    }

    /// Positions of trains before yesterday.
    func deleteSightings(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM sightings WHERE (service_date, train_code, line) IN (
                SELECT service_date, train_code, line FROM sightings
                WHERE service_date < service_date() - 1 ORDER BY service_date LIMIT \(limit))
            """
        )
    }
}
