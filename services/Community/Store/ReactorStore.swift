import Contracts
import Postgres

/// SQL of likers and buyers, for all posts of a page at once.
struct ReactorStore: Sendable {
    /// The users who like posts, by post and kind of like.
    func likers(
        of posts: [PostID],
        for account: AccountID,
        in database: some Querying
    ) async throws -> [PostID: [Int16: Reactors]] {
        let found = try await database.all(Self.likers(of: posts, for: account)) { row in
            let (post, kind, people, isJoined) = try row.decode(as: (PostID, Int16, [PublicID], Bool).self)
            return (post, [kind: Reactors(people: people, isJoined: isJoined)])
        }
        return Dictionary(found) { $0.merging($1) { first, _ in first } }
    }

    static func likers(of posts: [PostID], for account: AccountID) -> SQL {
        """
        SELECT wanted.id, kind.kind, ARRAY(
                SELECT k.public_id FROM likes k WHERE k.post_id = wanted.id AND k.kind = kind.kind
                ORDER BY k.created_at DESC, k.account_id DESC LIMIT \(Reactors.limit)
            ), EXISTS (
                SELECT FROM likes k WHERE k.post_id = wanted.id AND k.kind = kind.kind AND k.account_id = \(account)
            )
        FROM unnest(\(posts)) AS wanted (id) CROSS JOIN (VALUES (1::smallint), (2::smallint)) AS kind (kind)
        """
    }

    /// The users who have paid for posts, by post.
    func buyers(
        of posts: [PostID],
        for account: AccountID,
        in database: some Querying
    ) async throws -> [PostID: Reactors] {
        let found = try await database.all(Self.buyers(of: posts, for: account)) { row in
            let (post, people, isJoined) = try row.decode(as: (PostID, [PublicID], Bool).self)
            return (post, Reactors(people: people, isJoined: isJoined))
        }
        return Dictionary(found) { first, _ in first }
    }

    static func buyers(of posts: [PostID], for account: AccountID) -> SQL {
        """
        SELECT wanted.id, ARRAY(
                SELECT p.public_id FROM (
                    SELECT * FROM purchases WHERE post_id = wanted.id
                    ORDER BY created_at DESC, account_id DESC LIMIT \(Reactors.limit)
                ) b JOIN people p USING (account_id)
                ORDER BY b.created_at DESC, b.account_id DESC
            ), EXISTS (SELECT FROM purchases b WHERE b.post_id = wanted.id AND b.account_id = \(account))
        FROM unnest(\(posts)) AS wanted (id)
        """
    }
}
