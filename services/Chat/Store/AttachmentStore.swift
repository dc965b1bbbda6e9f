import Postgres

/// All SQL of which messages have which files.
struct AttachmentStore: Sendable {
    /// Whether somebody has a message with a file, whoever wrote it.
    func wasSent(_ name: String, to account: Int64, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (
                SELECT 1 FROM messages m JOIN members a ON a.room_id = m.room_id AND a.account_id = \(account)
                WHERE m.files @> \([name]) AND m.files <> '{}')
            """
        ) { try $0.decode(Bool.self) }
    }

    /// Those of some files that messages of somebody have.
    func sent(
        by account: Int64,
        among names: [String],
        in transaction: PostgresTransaction
    ) async throws -> Set<String> {
        let files = try await transaction.all(
            """
            SELECT DISTINCT name FROM messages m, unnest(m.files) AS name
            WHERE m.files && \(names) AND m.files <> '{}' AND m.sender_id = \(account)
            """
        ) { try $0.decode(String.self) }
        return Set(files)
    }

    /// All files that messages of somebody have.
    func sent(by account: Int64, in transaction: PostgresTransaction) async throws -> Set<String> {
        let files = try await transaction.all(
            """
            SELECT DISTINCT name FROM messages m JOIN members a ON a.room_id = m.room_id, unnest(m.files) AS name
            WHERE a.account_id = \(account) AND m.sender_id = \(account) AND m.files <> '{}'
            """
        ) { try $0.decode(String.self) }
        return Set(files)
    }
}
