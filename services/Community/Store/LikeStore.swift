import Contracts
import FoundationEssentials
import Postgres
import Profiles
import Values

extension LikeCounts {
    static let posts = LikeCounts(of: "posts", by: "post_id")
}

/// SQL of likes. Lock order: the account's row, the post's, its likes; posts in the order of their IDs.
struct LikeStore: Sendable {
    /// Inserts a like, and counts it if it is new and of the first kind.
    ///
    /// - Returns: Whether the account exists, and whether the post exists and is visible.
    func insert(
        _ publicID: PublicID,
        kind: Int16,
        in app: App,
        by account: AccountID,
        at now: Date,
        _ database: some Querying
    ) async throws -> (isPerson: Bool, isPost: Bool) {
        let counted: SQL =
            Sabotage.likeCountedTwice.isBuiltIn ? "SELECT id, 1 FROM post" : "SELECT post_id, 1 FROM new"
        return try await database.one(
            """
            WITH \(Self.locked(publicID, in: app, for: account)),
            new AS (
                INSERT INTO likes (post_id, kind, account_id, public_id, created_at)
                SELECT post.id, \(kind), person.account_id, person.public_id, \(now) FROM post, person
                ON CONFLICT DO NOTHING RETURNING post_id
            ), counted AS (
                INSERT INTO like_changes (post_id, change) \(counted) WHERE \(kind) = 1::smallint
            )
            SELECT EXISTS (SELECT FROM person), EXISTS (SELECT FROM post)
            """
        ) { try $0.decode(as: (Bool, Bool).self) }
    }

    /// Deletes a like, and counts it no longer.
    ///
    /// - Returns: Whether the account exists, and whether the post exists and is visible.
    func delete(
        _ publicID: PublicID,
        kind: Int16,
        in app: App,
        by account: AccountID,
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
                INSERT INTO like_changes (post_id, change) SELECT post_id, -1 FROM gone WHERE \(kind) = 1::smallint
            )
            SELECT EXISTS (SELECT FROM person), EXISTS (SELECT FROM post)
            """
        ) { try $0.decode(as: (Bool, Bool).self) }
    }

    /// Locks the account against withdrawal, and a visible post against deletion.
    private static func locked(_ publicID: PublicID, in app: App, for account: AccountID) -> SQL {
        """
        person AS MATERIALIZED (
            SELECT account_id, public_id FROM people WHERE account_id = \(account) AND withdrawn_at IS NULL FOR SHARE
        ), post AS MATERIALIZED (
            SELECT t.id FROM posts t, person
            WHERE t.public_id = \(publicID) AND t.app = \(app) AND \(PostStore.isVisible(to: account))
            FOR KEY SHARE OF t
        )
        """
    }

    /// Deletes all likes of an account and updates the counts.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH liked AS MATERIALIZED (
                SELECT id FROM posts WHERE id IN (SELECT post_id FROM likes WHERE account_id = \(account))
                ORDER BY id FOR KEY SHARE
            ), gone AS (
                DELETE FROM likes k USING liked WHERE k.post_id = liked.id AND k.account_id = \(account)
                RETURNING k.post_id, k.kind
            )
            INSERT INTO like_changes (post_id, change) SELECT post_id, -1 FROM gone WHERE kind = 1
            """
        )
    }
}
