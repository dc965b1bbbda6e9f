import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// Creating and reading listings.
struct Listings: Sendable {
    let database: PostgresClient
    let people: People
    let pictures: Pictures
    let veil: LocationObfuscator
    let now: @Sendable () -> Date
    /// Called with the cells of listings after they were created.
    let created: @Sendable ([Int64]) -> Void
    let store = ListingStore()

    /// Maximum number of listings per request.
    static let batchLimit = 100

    /// Creates a listing. An existing one with the same creator and reference is returned unchanged.
    ///
    /// - Throws: `EstateError.rule`, `PersonUnknown`.
    func create(_ draft: ListingDraft, by account: AccountID) async throws -> Listing {
        try draft.check()
        try await people.person(account)
        var draft = draft
        draft.thumbnails = try await pictures.adopt(draft.thumbnails, by: account)
        let placed = PlacedDraft(draft, by: account, veil: veil)
        let publicID = try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            let (ids, unknown) = try await insert([placed], by: account, in: transaction)
            guard unknown.isEmpty else { throw EstateError.rule(Self.foreignThumbnails) }
            return ids.first
        }
        created([placed.cell])
        // A new listing can only be missing if its creator has withdrawn.
        guard let publicID, let listing = try await listings([publicID], for: account).first else {
            throw PersonUnknown()
        }
        return listing
    }

    static let foreignThumbnails = "thumbnails must be paths of uploads of the creator that are still there."

    /// Inserts listings, which keep their pictures from then on.
    ///
    /// - Returns: The IDs of new and existing listings, and the thumbnails of new ones that are not uploads of the
    ///   creator.
    func insert(
        _ drafts: [PlacedDraft],
        by account: AccountID,
        in transaction: PostgresTransaction
    ) async throws -> (ids: [PublicID], unknown: Set<String>) {
        let ids = try await store.insert(drafts, by: account, in: transaction)
        let made = Set(ids)
        let named = drafts.filter { made.contains($0.publicID) }.flatMap(\.draft.thumbnails)
        return (ids, try await pictures.refer(to: named, of: account, in: transaction))
    }

    /// A listing from the view of an account.
    ///
    /// - Throws: `EstateError.listingNotFound`.
    func listing(_ publicID: PublicID, for account: AccountID) async throws -> Listing {
        guard let listing = try await listings([publicID], for: account).first else {
            throw EstateError.listingNotFound
        }
        return listing
    }

    /// Writes the entries of some listings that are older than entries.
    ///
    /// - Returns: Whether there may be more.
    func completeEntries() async throws -> Bool {
        let limit = 1_000
        return try await store.completeEntries(limit: limit, in: database) == limit
    }

    /// Listings in the order of the IDs, without unknown ones.
    ///
    /// - Parameter account: The viewer; nil for the public view.
    func listings(_ ids: [PublicID], for account: AccountID?) async throws -> [Listing] {
        guard !ids.isEmpty else { return [] }
        let found = try await store.listings(ids, for: account, at: now(), in: database)
        let byID = Dictionary(found.map { ($0.summary.publicID, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }
}
