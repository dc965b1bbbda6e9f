import Files
package import Postgres

/// All SQL of uploads.
package struct UploadStore: Sendable {
    package init() {}

    // MARK: Referring

    /// Notes that something refers to uploads of its owner, so that they stay until they are expired.
    ///
    /// - Returns: those that there are.
    package func refer(
        to names: Set<String>,
        of account: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Set<String> {
        let referred = try await transaction.all(
            """
            UPDATE uploads SET expires_at = NULL
            WHERE name = ANY(\(Array(names))) AND account_id = \(account) AND (expires_at IS NULL OR expires_at > now())
            RETURNING name
            """
        ) { try $0.decode(String.self) }
        return Set(referred)
    }

    /// Takes back what somebody's things have referred to.
    ///
    /// - Parameter name: what is still referred to.
    package func expireReferred(
        of account: Int64,
        except name: String?,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now()
            WHERE account_id = \(account) AND name IS DISTINCT FROM \(name) AND expires_at IS NULL
            """
        )
    }

    /// Whoever refers to some uploads of somebody, or takes them back, takes turns until the transaction ends; so who looks
    /// afterwards what else refers to them sees all of it.
    package func lock(_ names: [String], of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            SELECT FROM uploads WHERE account_id = \(account) AND name = ANY(\(names)) ORDER BY name FOR UPDATE
            """
        )
    }

    /// Takes back uploads of somebody that something has referred to.
    package func expire(_ names: [String], of account: Int64, in transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now()
            WHERE account_id = \(account) AND name = ANY(\(names)) AND expires_at IS NULL
            """
        )
    }

    /// Takes back all uploads of somebody, also those that wait.
    ///
    /// - Parameter names: what is still referred to.
    package func expireAll(
        of account: Int64,
        except names: Set<String> = [],
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now() WHERE account_id = \(account) AND name <> ALL(\(Array(names)))
                AND (expires_at IS NULL OR expires_at > now())
            """
        )
    }

    // MARK: Serving

    /// What may be served.
    package func upload(named name: String, in database: some Querying) async throws -> Upload? {
        try await database.optional(
            """
            SELECT account_id, file_id, type, size FROM uploads
            WHERE name = \(name) AND (expires_at IS NULL OR expires_at > now())
            """
        ) { row in
            let (account, file, type, size) = try row.decode(as: (Int64, String, String, Int).self)
            guard let file = FileID(parsing: file), let type = FileType(rawValue: type) else { return nil as Upload? }
            return Upload(name: name, account: account, file: file, type: type, size: size)
        } ?? nil
    }

    // MARK: Keeping

    func insert(_ upload: Upload, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO uploads (name, account_id, file_id, type, size)
            VALUES (\(upload.name), \(upload.account), \(upload.file.text), \(upload.type.rawValue), \(upload.size))
            """
        )
    }

    /// Uploads and deletions of the same bytes take turns until the transaction ends.
    func lock(_ file: String, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('file ' || current_schema() || \(file), 0))"
        )
    }

    /// Takes back uploads that nothing refers to, but for the newest.
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
}
