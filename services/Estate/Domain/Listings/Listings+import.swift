import Contracts
import Postgres
import Profiles

extension Listings {
    /// The result of an import.
    struct Imported: Sendable, Equatable {
        var created: Int
        /// Number of listings that existed before.
        var kept: Int
    }

    /// Creates many listings of a creator, all or none. Existing ones with the same reference are not changed.
    ///
    /// - Parameters:
    ///   - drafts: Each with its own reference.
    ///   - creator: The creator's public ID.
    /// - Throws: `EstateError.ruleOfListing`, `.creatorNotFound`.
    func importAll(_ drafts: [ListingDraft], by creator: PublicID) async throws -> Imported {
        try check(drafts)
        let (imported, cells) = try await database.transaction { transaction in
            guard let account = try await people.lock(publicID: creator, of: .anlaka, in: transaction) else {
                throw EstateError.creatorNotFound
            }
            let placed = drafts.map { PlacedDraft($0, by: account, veil: veil) }
            // Inserts in a fixed order, so that concurrent imports of the same references do not deadlock.
            let ordered = placed.sorted { ($0.draft.reference ?? "") < ($1.draft.reference ?? "") }
            let (ids, unknown) = try await insert(ordered, by: account, in: transaction)
            let made = Set(ids)
            let isMade = placed.map { made.contains($0.publicID) }
            for (index, draft) in drafts.enumerated() where isMade[index] {
                guard unknown.isDisjoint(with: draft.thumbnails) else {
                    throw EstateError.ruleOfListing(index, Self.foreignThumbnails)
                }
            }
            let created = isMade.count { $0 }
            return (Imported(created: created, kept: drafts.count - created), placed.map(\.cell))
        }
        self.created(cells)
        return imported
    }

    private func check(_ drafts: [ListingDraft]) throws(EstateError) {
        var indices: [String: Int] = [:]
        for (index, draft) in drafts.enumerated() {
            do {
                try draft.check()
            } catch .rule(let what) {
                throw .ruleOfListing(index, what)
            }
            guard let first = indices.updateValue(index, forKey: draft.reference ?? "") else { continue }
            throw .ruleOfListing(index, "reference must not be that of another, as it is of \(first).")
        }
    }
}
