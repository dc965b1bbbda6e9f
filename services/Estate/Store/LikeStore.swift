import Postgres

/// All SQL of likes.
struct LikeStore: Sendable {
    /// Takes back all likes of somebody, and what they counted for.
    func deleteAll(of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH gone AS (DELETE FROM likes WHERE account_id = \(account) RETURNING listing_id)
            UPDATE listings SET like_count = like_count - 1 FROM gone WHERE id = gone.listing_id
            """
        )
    }
}
