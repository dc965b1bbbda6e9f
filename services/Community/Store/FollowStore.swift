import Contracts
import Postgres

/// SQL of follows.
struct FollowStore: Sendable {
    /// - Returns: Whether the follow is new.
    func insert(_ account: AccountID, follows other: AccountID, in transaction: PostgresTransaction) async throws
        -> Bool
    {
        try await transaction.execute(
            """
            INSERT INTO follows (follower_id, followed_id) VALUES (\(account), \(other)) ON CONFLICT DO NOTHING
            """
        ) > 0
    }

    func delete(_ account: AccountID, follows other: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "DELETE FROM follows WHERE follower_id = \(account) AND followed_id = \(other)"
        )
    }

    /// Locks the rows in a fixed order, since two users who follow each other may withdraw at the same time.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH gone AS MATERIALIZED (
                SELECT follower_id, followed_id FROM follows WHERE follower_id = \(account) OR followed_id = \(account)
                ORDER BY follower_id, followed_id FOR UPDATE
            )
            DELETE FROM follows f USING gone
            WHERE f.follower_id = gone.follower_id AND f.followed_id = gone.followed_id
            """
        )
    }

    /// Latest first.
    func followers(of account: AccountID, limit: Int, in database: some Querying) async throws -> [AccountID] {
        try await database.all(
            """
            SELECT follower_id FROM follows WHERE followed_id = \(account)
            ORDER BY created_at DESC, follower_id DESC LIMIT \(limit)
            """
        ) { try $0.decode(AccountID.self) }
    }

    /// Latest first.
    func following(by account: AccountID, limit: Int, in database: some Querying) async throws -> [AccountID] {
        try await database.all(
            """
            SELECT followed_id FROM follows WHERE follower_id = \(account)
            ORDER BY created_at DESC, followed_id DESC LIMIT \(limit)
            """
        ) { try $0.decode(AccountID.self) }
    }

    /// The public IDs of an account's posts that are not hidden, newest first.
    func posts(by account: AccountID, limit: Int, in database: some Querying) async throws -> [PublicID] {
        try await database.all(
            """
            SELECT public_id FROM posts WHERE author_id = \(account) AND hidden_at IS NULL
            ORDER BY created_at DESC, id DESC LIMIT \(limit)
            """
        ) { try $0.decode(PublicID.self) }
    }
}
