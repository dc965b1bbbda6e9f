import Contracts
import People
import Postgres

extension Listings {
    /// What has become of listings that were imported.
    struct Imported: Sendable, Equatable {
        var created: Int
        /// How many there were already.
        var kept: Int
    }

    /// Puts many listings of somebody on the map, all or none. What they have made before under the same reference is left
    /// as it is.
    ///
    /// - Parameters:
    ///   - drafts: each with a reference of its own.
    ///   - creator: their public id.
    /// - Throws: `EstateError.ruleOfListing`, `.creatorNotFound`.
    func importAll(_ drafts: [ListingDraft], by creator: String) async throws -> Imported {
        try check(drafts)
        defer { changed() }
        return try await database.transaction { transaction in
            guard PublicID.isOne(creator),
                let account = try await people.lock(publicID: creator, of: .anlaka, in: transaction)
            else { throw EstateError.creatorNotFound }
            let placed = drafts.map { PlacedDraft($0, by: account, veil: veil) }
            // Two calls with the same references wait for each other rather than both.
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
            return Imported(created: created, kept: drafts.count - created)
        }
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
