import Postgres

extension ListingStore {
    /// A listing's id, by what the app calls it. Until the transaction's end it is not deleted.
    func hold(_ publicID: String, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("SELECT id FROM listings WHERE public_id = \(publicID) FOR KEY SHARE") {
            try $0.decode(Int64.self)
        }
    }

    /// The same, for one at a time.
    func lock(_ publicID: String, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("SELECT id FROM listings WHERE public_id = \(publicID) FOR NO KEY UPDATE") {
            try $0.decode(Int64.self)
        }
    }

    /// A listing's id, by what the app calls it.
    func id(_ publicID: String, in database: some Querying) async throws -> Int64? {
        try await database.optional("SELECT id FROM listings WHERE public_id = \(publicID)") {
            try $0.decode(Int64.self)
        }
    }
}
