import Contracts
import Postgres

extension ListingStore {
    /// The summaries of listings, in no particular order.
    func summaries(
        _ publicIDs: [PublicID],
        for account: AccountID,
        in database: some Querying
    ) async throws -> [ListingSummary] {
        try await summaries(
            """
            SELECT \(ListingSummary.columns(for: account)) FROM listings l WHERE l.public_id = ANY(\(publicIDs))
            """,
            in: database
        )
    }

    /// The result of a statement with the columns `ListingSummary.columns`, in its order.
    func summaries(_ statement: SQL, in database: some Querying) async throws -> [ListingSummary] {
        try await database.all(statement) { try $0.decode { try ListingSummary(&$0) } }
    }
}
