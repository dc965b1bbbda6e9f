/// What the estate service answers other processes.
package enum EstateAPI {
    /// `POST /internal/listings`: puts up to 1,000 listings of somebody on the map, all or none. A listing that they have
    /// made before under the same reference stays as it is, so the call may be repeated.
    ///
    /// 200 with `Imported`; 400 naming the index and the field of a listing that breaks a rule; 404 for a creator who is not
    /// there, or has left.
    package struct Import: Codable, Sendable, Equatable {
        package static let path = "/internal/listings"
        /// So many listings one call takes.
        package static let limit = 1000

        /// The public id of whose listings they are.
        package var creator: String
        package var listings: [NewListing]

        package init(creator: String, listings: [NewListing]) {
            self.creator = creator
            self.listings = listings
        }
    }

    package struct Imported: Codable, Sendable, Equatable {
        package var created: Int
        /// How many there were already.
        package var kept: Int

        package init(created: Int, kept: Int) {
            self.created = created
            self.kept = kept
        }
    }
}
