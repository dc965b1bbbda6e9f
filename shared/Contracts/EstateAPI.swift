/// The estate service's API for other processes.
package enum EstateAPI {
    /// `POST /internal/listings`: creates up to 1,000 listings of one user, all or none. A listing with a reference
    /// that the user has already used is left unchanged, so the call may be repeated.
    ///
    /// 200 with `Imported`; 400 naming the index and the field of an invalid listing; 404 for an unknown or withdrawn
    /// creator.
    package struct Import: Codable, Sendable, Equatable {
        package static let path = "/internal/listings"
        /// The maximum number of listings per call.
        package static let limit = 1000

        /// The public id of the creator.
        package var creator: String
        package var listings: [NewListing]

        package init(creator: String, listings: [NewListing]) {
            self.creator = creator
            self.listings = listings
        }
    }

    package struct Imported: Codable, Sendable, Equatable {
        package var created: Int
        /// The number of listings that already existed.
        package var kept: Int

        package init(created: Int, kept: Int) {
            self.created = created
            self.kept = kept
        }
    }
}
