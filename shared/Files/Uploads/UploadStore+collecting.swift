package import Postgres

extension UploadStore {
    /// The name of an expired upload that no other replica is deleting.
    package func nextExpired(in database: some Querying) async throws -> String? {
        try await database.optional(
            """
            SELECT name FROM uploads
            WHERE expires_at <= now() AND (failed_at IS NULL OR failed_at < now() - interval '1 minute')
            ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """
        ) { try $0.decode(String.self) }
    }

    /// - Returns: The upload's file; nil if another replica is deleting it.
    func deleteExpired(_ name: String, in transaction: PostgresTransaction) async throws -> FileID? {
        try await transaction.optional(
            """
            DELETE FROM uploads WHERE name = (
                SELECT name FROM uploads WHERE name = \(name) AND expires_at <= now() FOR UPDATE SKIP LOCKED)
            RETURNING file_id
            """
        ) { FileID(parsing: try $0.decode(String.self)) } ?? nil
    }

    func isReferred(_ file: FileID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.one("SELECT EXISTS (SELECT 1 FROM uploads WHERE file_id = \(file.text))") {
            try $0.decode(Bool.self)
        }
    }

    func noteFailure(_ name: String, in database: some Querying) async throws {
        try await database.execute("UPDATE uploads SET failed_at = now() WHERE name = \(name)")
    }
}
