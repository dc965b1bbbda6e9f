import Contracts
import FoundationEssentials
import People
import Postgres

/// All SQL of likes. The row of a post is locked before its likes, and posts in the order of their ids.
struct LikeStore: Sendable {
    /// Likes a post, and counts it if it is of the first kind and new: one statement, so that the post's row is held for as
    /// short as can be.
    ///
    /// - Returns: whether there is such a post that they may see.
    func insert(
        _ publicID: String,
        kind: Int16,
        in app: App,
        by person: Person,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.optional(
            """
            WITH post AS MATERIALIZED (\(Self.lock(publicID, in: app, for: person.account))),
            new AS (
                INSERT INTO likes (post_id, kind, account_id, public_id, created_at)
                SELECT id, \(kind), \(person.account), \(person.publicID), \(now) FROM post
                ON CONFLICT DO NOTHING RETURNING post_id
            ), counted AS (
                UPDATE posts SET like_count = like_count + 1 FROM new WHERE id = new.post_id AND \(kind) = 1::smallint
            )
            SELECT true FROM post
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    /// Takes a like back, and what it counted for.
    ///
    /// - Returns: whether there is such a post that they may see.
    func delete(
        _ publicID: String,
        kind: Int16,
        in app: App,
        by person: Person,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.optional(
            """
            WITH post AS MATERIALIZED (\(Self.lock(publicID, in: app, for: person.account))),
            gone AS (
                DELETE FROM likes k USING post
                WHERE k.post_id = post.id AND k.kind = \(kind) AND k.account_id = \(person.account)
                RETURNING k.post_id
            ), counted AS (
                UPDATE posts SET like_count = like_count - 1 FROM gone WHERE id = gone.post_id AND \(kind) = 1::smallint
            )
            SELECT true FROM post
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    private static func lock(_ publicID: String, in app: App, for account: Int64) -> SQL {
        """
        SELECT t.id FROM posts t
        WHERE t.public_id = \(publicID) AND t.app = \(app) AND \(PostStore.isVisible(to: account))
        FOR NO KEY UPDATE OF t
        """
    }

    /// Takes back all likes of somebody, and what they counted for.
    func deleteAll(of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH liked AS MATERIALIZED (
                SELECT id FROM posts WHERE id IN (SELECT post_id FROM likes WHERE account_id = \(account))
                ORDER BY id FOR NO KEY UPDATE
            ), gone AS (
                DELETE FROM likes k USING liked WHERE k.post_id = liked.id AND k.account_id = \(account)
                RETURNING k.post_id, k.kind
            )
            UPDATE posts SET like_count = like_count - 1 FROM gone WHERE id = gone.post_id AND gone.kind = 1
            """
        )
    }
}
