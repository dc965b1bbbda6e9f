import Contracts
import Postgres
import ServiceDatabase

/// SQL of purchases.
struct PurchaseStore: Sendable {
    func insert(_ post: PublicID, by account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO purchases (post_id, account_id)
            SELECT id, \(account) FROM posts WHERE public_id = \(post) AND app = \(App.culture) FOR KEY SHARE
            ON CONFLICT DO NOTHING
            """
        )
    }

    func delete(_ post: PublicID, by account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            DELETE FROM purchases b USING posts t
            WHERE t.public_id = \(post) AND b.post_id = t.id AND b.account_id = \(account)
            """
        )
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM purchases WHERE account_id = \(account)")
    }

    func offer(_ post: PublicID, in database: some Querying) async throws -> CommunityAPI.Offer? {
        try await database.optional(
            """
            SELECT author_id, title, price FROM posts
            WHERE public_id = \(post) AND app = \(App.culture) AND hidden_at IS NULL
            """
        ) { row in
            let (account, title, price) = try row.decode(as: (AccountID, String?, Int64?).self)
            return CommunityAPI.Offer(account: account, title: title, price: price)
        }
    }
}
