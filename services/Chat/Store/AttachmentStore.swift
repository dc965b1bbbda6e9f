import Contracts
import Postgres

/// SQL of the files of messages.
struct AttachmentStore: Sendable {
    /// Whether a file was sent in a room of an account, by either member.
    func wasSent(_ name: String, to account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (
                SELECT 1 FROM messages m JOIN members a ON a.room_id = m.room_id AND a.account_id = \(account)
                WHERE m.files @> \([name]) AND m.files <> '{}')
            """
        ) { try $0.decode(Bool.self) }
    }

    /// The files among `names` that messages of an account refer to.
    func sent(
        by account: AccountID,
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

    /// All files that messages of an account refer to.
    func sent(by account: AccountID, in transaction: PostgresTransaction) async throws -> Set<String> {
        let files = try await transaction.all(
            """
            SELECT DISTINCT name FROM messages m JOIN members a ON a.room_id = m.room_id, unnest(m.files) AS name
            WHERE a.account_id = \(account) AND m.sender_id = \(account) AND m.files <> '{}'
            """
        ) { try $0.decode(String.self) }
        return Set(files)
    }
}
