import Contracts
import FoundationEssentials
import People
import Postgres

/// Listings one by one: made, looked at.
struct Listings: Sendable {
    let database: PostgresClient
    let people: People
    let pictures: Pictures
    let veil: PositionVeil
    let now: @Sendable () -> Date
    /// Told when there are others than before.
    let changed: @Sendable () -> Void
    let store = ListingStore()

    init(
        database: PostgresClient,
        people: People,
        pictures: Pictures,
        veil: PositionVeil,
        now: @escaping @Sendable () -> Date,
        changed: @escaping @Sendable () -> Void
    ) {
        self.database = database
        self.people = people
        self.pictures = pictures
        self.veil = veil
        self.now = now
        self.changed = changed
    }

    /// So many listings may be asked for at once.
    static let batchLimit = 100

    /// Puts a listing on the map. One that its creator has made before under the same reference is left as it is.
    ///
    /// - Throws: `EstateError.rule`, `PersonUnknown`.
    func create(_ draft: ListingDraft, by account: Int64) async throws -> Listing {
        try draft.check()
        try await people.person(account)
        var draft = draft
        draft.thumbnails = try await pictures.adopt(draft.thumbnails, by: account)
        let placed = PlacedDraft(draft, by: account, veil: veil)
        let publicID = try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            let (ids, unknown) = try await insert([placed], by: account, in: transaction)
            guard unknown.isEmpty else { throw EstateError.rule(Self.foreignThumbnails) }
            return ids.first
        }
        changed()
        // Gone again is only what goes with its creator.
        guard let publicID, let listing = try await listings([publicID], for: account).first else {
            throw PersonUnknown()
        }
        return listing
    }

    static let foreignThumbnails = "thumbnails must be paths of uploads of the creator that are still there."

    /// Makes listings, which keep their pictures from then on.
    ///
    /// - Returns: the ids of the new and of those that were there; and what new ones name that is no picture of theirs.
    func insert(
        _ drafts: [PlacedDraft],
        by account: Int64,
        in transaction: PostgresTransaction
    ) async throws -> (ids: [String], unknown: Set<String>) {
        let ids = try await store.insert(drafts, by: account, in: transaction)
        let made = Set(ids)
        let named = drafts.filter { made.contains($0.publicID) }.flatMap(\.draft.thumbnails)
        return (ids, try await pictures.refer(to: named, of: account, in: transaction))
    }

    /// A listing as somebody sees it.
    ///
    /// - Throws: `EstateError.listingNotFound`.
    func listing(_ publicID: String, for account: Int64) async throws -> Listing {
        guard let listing = try await listings([publicID], for: account).first else {
            throw EstateError.listingNotFound
        }
        return listing
    }

    /// Listings in the order of their ids, without those that are not there.
    ///
    /// - Parameter account: who looks; nil for nobody in particular.
    func listings(_ publicIDs: [String], for account: Int64?) async throws -> [Listing] {
        let ids = publicIDs.filter(PublicID.isOne)
        guard !ids.isEmpty else { return [] }
        let found = try await store.listings(ids, for: account, at: now(), in: database)
        let byID = Dictionary(found.map { ($0.summary.publicID, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }
}
