import Contracts
import FoundationEssentials
import People
import Postgres

/// Who has paid for which post, as payments tells, and what may be paid for.
struct Purchases: Sendable {
    let database: PostgresClient
    let people: People
    private let store = PurchaseStore()

    init(database: PostgresClient, people: People) {
        self.database = database
        self.people = people
    }

    /// Notes what payments tells. A post that is gone has no buyers, and who has left is none.
    func note(_ event: PaymentsEvents.PurchaseChanged, in transaction: PostgresTransaction) async throws {
        guard event.isPaid else {
            return try await store.delete(event.post, by: event.account, in: transaction)
        }
        do {
            try await people.person(event.account)
            try await people.lock(event.account, in: transaction)
        } catch is PersonUnknown {
            return
        }
        try await store.insert(event.post, by: event.account, in: transaction)
    }

    /// What it takes to sell something for a post of Seoul Culture.
    ///
    /// - Throws: `CommunityError.postNotFound`.
    func offer(_ post: String) async throws -> CommunityAPI.Offer {
        guard PublicID.isOne(post), let offer = try await store.offer(post, in: database) else {
            throw CommunityError.postNotFound
        }
        return offer
    }

    /// Forgets what somebody has paid for who has left; payments keeps the books.
    func deleteAll(of account: Int64, _ transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }
}
