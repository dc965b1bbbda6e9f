import Contracts
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
        // Two calls with the same references wait for each other rather than both.
        let placed =
            drafts
            .sorted { ($0.reference ?? "") < ($1.reference ?? "") }
            .map { PlacedDraft($0, veil: veil) }
        return try await database.transaction { transaction in
            guard PublicID.isOne(creator), let account = try await people.lock(publicID: creator, in: transaction)
            else {
                throw EstateError.creatorNotFound
            }
            guard !placed.isEmpty else { return Imported(created: 0, kept: 0) }
            let ids = Set(try await store.insert(placed, by: account, in: transaction))
            let created = placed.count { ids.contains($0.publicID) }
            return Imported(created: created, kept: placed.count - created)
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
