package import Contracts
package import Postgres
import ServiceDatabase

/// The SQL statements of uploads.
package struct UploadStore: Sendable {
    package init() {}

    // MARK: References

    /// Records a reference to uploads of the account, so that they are kept until they are expired explicitly.
    ///
    /// - Returns: The uploads that exist.
    package func refer(
        to names: Set<String>,
        of account: AccountID,
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

    /// Expires the referenced uploads of an account.
    ///
    /// - Parameter name: The upload that is still referenced.
    package func expireReferred(
        of account: AccountID,
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

    /// Locks uploads of an account until the transaction ends. Changes of references are thereby serialized, so that a
    /// later check for other references sees all of them.
    package func lock(_ names: [String], of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            SELECT FROM uploads WHERE account_id = \(account) AND name = ANY(\(names)) ORDER BY name FOR UPDATE
            """
        )
    }

    /// Expires referenced uploads of an account.
    package func expire(_ names: [String], of account: AccountID, in transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        try await transaction.execute(
            """
            UPDATE uploads SET expires_at = now()
            WHERE account_id = \(account) AND name = ANY(\(names)) AND expires_at IS NULL
            """
        )
    }

    /// Expires all uploads of an account, including unreferenced ones.
    ///
    /// - Parameter names: The uploads that are still referenced.
    package func expireAll(
        of account: AccountID,
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

    /// The upload, unless it has expired.
    package func upload(named name: String, in database: some Querying) async throws -> Upload? {
        try await database.optional(
            """
            SELECT account_id, file_id, type, size FROM uploads
            WHERE name = \(name) AND (expires_at IS NULL OR expires_at > now())
            """
        ) { row in
            let (account, file, type, size) = try row.decode(as: (AccountID, String, String, Int).self)
            guard let file = FileID(parsing: file), let type = FileType(rawValue: type) else { return nil as Upload? }
            return Upload(name: name, account: account, file: file, type: type, size: size)
        } ?? nil
    }

    // MARK: Storing

    func insert(_ upload: Upload, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO uploads (name, account_id, file_id, type, size)
            VALUES (\(upload.name), \(upload.account), \(upload.file.text), \(upload.type.rawValue), \(upload.size))
            """
        )
    }

    /// Serializes uploads and deletions of the same content until the transaction ends.
    func lock(_ file: String, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('file ' || current_schema() || \(file), 0))"
        )
    }

    /// Expires the account's unreferenced uploads except for the newest.
    func expireOldest(of account: AccountID, keeping count: Int, in transaction: PostgresTransaction) async throws {
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
