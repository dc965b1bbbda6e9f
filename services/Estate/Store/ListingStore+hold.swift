import Contracts
import Postgres

extension ListingStore {
    /// The ID of a listing, which is locked against deletion until the transaction ends.
    func hold(_ publicID: PublicID, in transaction: PostgresTransaction) async throws -> ListingID? {
        try await transaction.optional("SELECT id FROM listings WHERE public_id = \(publicID) FOR KEY SHARE") {
            try $0.decode(ListingID.self)
        }
    }

    /// The ID of a listing.
    func id(_ publicID: PublicID, in database: some Querying) async throws -> ListingID? {
        try await database.optional("SELECT id FROM listings WHERE public_id = \(publicID)") {
            try $0.decode(ListingID.self)
        }
    }
}
