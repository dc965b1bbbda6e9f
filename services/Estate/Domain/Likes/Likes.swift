import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// Likes of listings.
struct Likes: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = LikeStore()
    private let listings = ListingStore()

    /// Sets or removes a like. Idempotent: a repetition changes neither the count nor the time.
    ///
    /// Locks the listing's row against deletion, and changes the count only if the like was inserted or deleted. Likes of
    /// one listing do not wait for each other (`LikeCounts`).
    ///
    /// - Throws: `EstateError.listingNotFound`, `PersonUnknown`.
    func set(_ isLiked: Bool, _ publicID: PublicID, by account: AccountID) async throws {
        try await people.person(account)
        try await database.transaction(key: "listing \(publicID)") { transaction in
            try people.lock(account, in: transaction)
            guard let listing = try await listings.hold(publicID, in: transaction) else {
                throw EstateError.listingNotFound
            }
            let change =
                isLiked ? store.insert(listing, by: account, at: now()) : store.delete(listing, by: account)
            try transaction.enqueue([change])
        }
    }

    /// The liked listings of an account, latest like first.
    func page(
        of account: AccountID,
        _ filter: ListingFilter,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<ListingEntry> {
        let found = try await store.likes(of: account, filter, after: cursor, limit: limit + 1, in: database)
        let liked = Page(found, limit: limit)
        let listings = try await listings.entries(liked.items, for: account, in: database)
        let byID = Dictionary(listings.map { ($0.publicID, $0) }) { first, _ in first }
        return Page(liked.items.compactMap { byID[$0] }, next: liked.next)
    }
}
