import Contracts
import Postgres
import Profiles

/// SQL of user blocks.
struct BlockStore: Sendable {
    func insert(_ account: AccountID, blocks other: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "INSERT INTO blocks (account_id, blocked_id) VALUES (\(account), \(other)) ON CONFLICT DO NOTHING"
        )
    }

    func delete(_ account: AccountID, blocks publicID: PublicID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            DELETE FROM blocks WHERE account_id = \(account)
                AND blocked_id = (SELECT account_id FROM people WHERE public_id = \(publicID))
            """
        )
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        // In a fixed order, since two users who block each other may withdraw at the same time.
        try await transaction.execute(
            """
            WITH gone AS (
                SELECT account_id, blocked_id FROM blocks WHERE account_id = \(account) OR blocked_id = \(account)
                ORDER BY account_id, blocked_id FOR UPDATE
            )
            DELETE FROM blocks b USING gone WHERE b.account_id = gone.account_id AND b.blocked_id = gone.blocked_id
            """
        )
    }

    /// Whether one of the two has blocked the other.
    func isBlocked(_ one: AccountID, _ other: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM blocks WHERE (account_id = \(one) AND blocked_id = \(other))
                OR (account_id = \(other) AND blocked_id = \(one)))
            """
        ) { try $0.decode(Bool.self) }
    }

    func blocked(by account: AccountID, limit: Int, in database: some Querying) async throws -> [Person] {
        try await database.all(
            """
            SELECT \(PersonStore.columns) FROM blocks b JOIN people p ON p.account_id = b.blocked_id
            WHERE b.account_id = \(account) ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT \(limit)
            """
        ) { try $0.decode { try Person(&$0) } }
    }
}
