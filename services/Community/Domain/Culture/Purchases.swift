import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// Buyers of posts, according to payments, and offers of posts.
struct Purchases: Sendable {
    let database: PostgresClient
    let people: People
    private let store = PurchaseStore()

    /// Applies an event of payments. Ignores deleted posts and withdrawn accounts.
    func note(_ event: PaymentsEvents.PurchaseChanged, in transaction: PostgresTransaction) async throws {
        guard event.isPaid else {
            return try await store.delete(event.post, by: event.account, in: transaction)
        }
        do {
            try await people.person(event.account)
            try people.lock(event.account, in: transaction)
        } catch is PersonUnknown {
            return
        }
        try await store.insert(event.post, by: event.account, in: transaction)
    }

    /// The data with which payments sells a post of Seoul Culture.
    ///
    /// - Throws: `CommunityError.postNotFound`.
    func offer(_ post: PublicID) async throws -> CommunityAPI.Offer {
        guard let offer = try await store.offer(post, in: database) else { throw CommunityError.postNotFound }
        return offer
    }

    /// Deletes the purchases of a withdrawn account; payments keeps its own records.
    func deleteAll(of account: AccountID, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
