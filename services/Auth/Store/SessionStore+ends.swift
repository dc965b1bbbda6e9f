import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// Ends of sessions and their publication to gateways.
extension SessionStore {
    /// Announces ended sessions to the feeds of all replicas.
    static let announcement = Announcement(on: "session_ends")

    /// - Returns: whether the session was active.
    func end(
        _ id: String,
        of account: AccountID,
        reason: Session.EndReason,
        in database: some Querying
    ) async throws -> Bool {
        let ended = try await database.execute(
            """
            UPDATE sessions SET ended_at = now(), end_reason = \(reason.rawValue), successor = NULL
            WHERE id = \(id) AND account_id = \(account) AND ended_at IS NULL
            """
        )
        return ended == 1
    }

    /// Ends all sessions of an account, except for one if given.
    ///
    /// - Returns: the ids of the sessions that were active.
    func endAll(
        of account: AccountID,
        except kept: String?,
        reason: Session.EndReason,
        in database: some Querying
    ) async throws -> [String] {
        try await database.all(
            """
            UPDATE sessions SET ended_at = now(), end_reason = \(reason.rawValue), successor = NULL
            WHERE account_id = \(account) AND id IS DISTINCT FROM \(kept) AND ended_at IS NULL RETURNING id
            """
        ) { try $0.decode(String.self) }
    }

    /// Deletes the device data of an account's sessions.
    func forgetDevices(of account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE sessions SET device_token = NULL, address = NULL, user_agent = NULL, name = NULL, holders = '{}'
            WHERE account_id = \(account)
            """
        )
    }

    /// Deletes sessions 30 days after their expiry.
    func forgetPast(in database: PostgresClient) async throws {
        try await database.prune("sessions", where: "expires_at < now() - interval '30 days'")
    }

    /// An ended session, in the order of publication.
    struct End: Sendable, Equatable {
        var number: Int64
        var session: String
        var app: App
        var reason: Session.EndReason
        var at: Date
    }

    /// The ends after a number, oldest first.
    ///
    /// Ends are numbered when they are first read, by one reader at a time. A number is therefore never visible before
    /// a lower one, whatever the commit order of the transactions.
    ///
    /// - Parameters:
    ///   - number: a number that was never assigned, as after a change of the database, counts as 0.
    ///   - since: earlier ends are omitted.
    func ends(after number: Int64, since: Date, limit: Int, in database: PostgresClient) async throws -> [End] {
        try await database.transaction { transaction in
            try transaction.enqueue([
                .execute("SELECT pg_advisory_xact_lock(hashtextextended('session ends ' || current_schema(), 0))"),
                .execute(
                    """
                    UPDATE sessions SET ended_number = nextval('session_ends')
                    WHERE ended_at IS NOT NULL AND ended_number IS NULL
                    """
                ),
            ])
            // Under the lock, so that all lower numbers are committed.
            return try await transaction.all(
                """
                SELECT ended_number, id, app, end_reason, ended_at FROM sessions
                WHERE ended_number > (
                    SELECT CASE WHEN last_value < \(number) THEN 0 ELSE \(number) END FROM session_ends
                ) AND ended_at > \(since) ORDER BY ended_number LIMIT \(limit)
                """
            ) { row in
                let (number, id, app, reason, at) = try row.decode(as: (Int64, String, App, String, Date).self)
                return End(
                    number: number,
                    session: id,
                    app: app,
                    reason: Session.EndReason(rawValue: reason) ?? .signedOut,
                    at: at
                )
            }
        }
    }
}
