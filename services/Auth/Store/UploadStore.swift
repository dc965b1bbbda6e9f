import Contracts
import Files
import Postgres

/// All SQL of uploads.
struct UploadStore: Sendable {
    /// - Throws: `AccountError.accountGone` when the uploader has left.
    func insert(_ upload: Upload, by account: Int64, app: App, in database: some Querying) async throws {
        let inserted = try await database.execute(
            """
            INSERT INTO uploads (name, account_id, file_id, type, size)
            SELECT \(upload.name), id, \(upload.file.text), \(upload.type.rawValue), \(upload.size) FROM accounts
            WHERE id = \(account) AND app = \(app.rawValue) AND withdrawn_at IS NULL
            """
        )
        guard inserted == 1 else { throw AccountError.accountGone }
    }

    /// Uploads and deletions of the same bytes take turns until the transaction ends.
    func lock(_ file: FileID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('file ' || current_schema() || \(file.text), 0))"
        )
    }

    /// What may be served.
    func upload(named name: String, app: App, in database: some Querying) async throws -> Upload? {
        try await database.optional(
            """
            SELECT u.file_id, u.type, u.size FROM uploads u JOIN accounts a ON a.id = u.account_id
            WHERE u.name = \(name) AND a.app = \(app.rawValue) AND (u.expires_at IS NULL OR u.expires_at > now())
            """
        ) { row in
            let (file, type, size) = try row.decode(as: (String, String, Int).self)
            guard let file = FileID(parsing: file), let type = FileType(rawValue: type) else { return nil as Upload? }
            return Upload(name: name, file: file, type: type, size: size)
        } ?? nil
    }

    /// Notes that a profile refers to an upload of its owner.
    ///
    /// - Returns: whether there is such an upload.
    func refer(to name: String, of account: Int64, in transaction: PostgresTransaction) async throws -> Bool {
        let referred = try await transaction.execute(
            """
            UPDATE uploads SET expires_at = NULL
            WHERE name = \(name) AND account_id = \(account) AND (expires_at IS NULL OR expires_at > now())
            """
        )
        return referred == 1
    }

    /// Takes back what a profile has referred to.
    func expireAll(of account: Int64, except name: String?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now()
            WHERE account_id = \(account) AND name IS DISTINCT FROM \(name) AND expires_at IS NULL
            """
        )
    }

    /// Takes back uploads that no profile refers to, but for the newest.
    func expireOldest(of account: Int64, keeping count: Int, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now() WHERE name IN (
                SELECT name FROM uploads WHERE account_id = \(account) AND expires_at > now()
                ORDER BY created_at DESC, name OFFSET \(count)
            )
            """
        )
    }

    // MARK: Collecting

    func nextExpired(in database: some Querying) async throws -> String? {
        try await database.optional(
            """
            SELECT name FROM uploads
            WHERE expires_at <= now() AND (failed_at IS NULL OR failed_at < now() - interval '1 minute')
            ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """
        ) { try $0.decode(String.self) }
    }

    /// - Returns: its file; nil when another copy of the service has it in hand.
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
