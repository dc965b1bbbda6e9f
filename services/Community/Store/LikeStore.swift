import Contracts
import FoundationEssentials
import Postgres

/// All SQL of likes. Rows are locked in one order: the person's, the post's, then its likes; posts in the order of their ids.
struct LikeStore: Sendable {
    /// Likes a post, and counts it if it is of the first kind and new.
    ///
    /// - Returns: whether there is such a person, and such a post that they may see.
    func insert(
        _ publicID: String,
        kind: Int16,
        in app: App,
        by account: Int64,
        at now: Date,
        _ database: some Querying
    ) async throws -> (isPerson: Bool, isPost: Bool) {
        try await database.one(
            """
            WITH \(Self.locked(publicID, in: app, for: account)),
            new AS (
                INSERT INTO likes (post_id, kind, account_id, public_id, created_at)
                SELECT post.id, \(kind), person.account_id, person.public_id, \(now) FROM post, person
                ON CONFLICT DO NOTHING RETURNING post_id
            ), counted AS (
                UPDATE posts SET like_count = like_count + 1 FROM new WHERE id = new.post_id AND \(kind) = 1::smallint
            )
            SELECT EXISTS (SELECT FROM person), EXISTS (SELECT FROM post)
            """
        ) { try $0.decode(as: (Bool, Bool).self) }
    }

    /// Takes a like back, and what it counted for.
    ///
    /// - Returns: whether there is such a person, and such a post that they may see.
    func delete(
        _ publicID: String,
        kind: Int16,
        in app: App,
        by account: Int64,
        _ database: some Querying
    ) async throws -> (isPerson: Bool, isPost: Bool) {
        try await database.one(
            """
            WITH \(Self.locked(publicID, in: app, for: account)),
            gone AS (
                DELETE FROM likes k USING post
                WHERE k.post_id = post.id AND k.kind = \(kind) AND k.account_id = \(account)
                RETURNING k.post_id
            ), counted AS (
                UPDATE posts SET like_count = like_count - 1 FROM gone WHERE id = gone.post_id AND \(kind) = 1::smallint
            )
            SELECT EXISTS (SELECT FROM person), EXISTS (SELECT FROM post)
            """
        ) { try $0.decode(as: (Bool, Bool).self) }
    }

    /// Somebody who does not leave meanwhile, and a post that they may see, for one like at a time.
    private static func locked(_ publicID: String, in app: App, for account: Int64) -> SQL {
        """
        person AS MATERIALIZED (
            SELECT account_id, public_id FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR SHARE
        ), post AS MATERIALIZED (
            SELECT t.id FROM posts t, person
            WHERE t.public_id = \(publicID) AND t.app = \(app) AND \(PostStore.isVisible(to: account))
            FOR NO KEY UPDATE OF t
        )
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
