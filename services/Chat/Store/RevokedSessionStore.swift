import Postgres

/// SQL of sessions that were ended lately.
struct RevokedSessionStore: Sendable {
    /// Stores a session, and deletes old ones.
    func add(_ session: String, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "INSERT INTO revoked_sessions (session) VALUES (\(session)) ON CONFLICT DO NOTHING"
        )
        try await transaction.execute(
            """
            DELETE FROM revoked_sessions WHERE session IN (
                SELECT session FROM revoked_sessions WHERE revoked_at < now() - interval '1 hour'
                ORDER BY revoked_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
            """
        )
    }

    func contains(_ session: String, in database: some Querying) async throws -> Bool {
        try await database.one("SELECT EXISTS (SELECT FROM revoked_sessions WHERE session = \(session))") {
            try $0.decode(Bool.self)
        }
    }

    /// The sessions that were revoked in the last seconds.
    func all(ofLastSeconds seconds: Double, in database: some Querying) async throws -> [String] {
        try await database.all(
            "SELECT session FROM revoked_sessions WHERE revoked_at > now() - make_interval(secs => \(seconds))"
        ) { try $0.decode(String.self) }
    }
}
