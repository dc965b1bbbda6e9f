package import Contracts
package import Values

/// The true position of a listing, from the table.
package struct ListingPosition: Sendable {
    package var listing: String
    package var creator: AccountID
    package var exact: Coordinate
    /// The accounts that may see it: the creator, and those who have paid to reserve it at any time.
    package var known: Set<AccountID>

    package init(_ listing: String, of creator: AccountID, exact: Coordinate, knownTo known: Set<AccountID> = []) {
        (self.listing, self.creator, self.exact) = (listing, creator, exact)
        self.known = known.union([creator])
    }
}

/// A position of a listing that a phone was shown, in a list, in details or as a single point of the map.
package struct ShownPosition: Sendable {
    package var listing: String
    package var viewer: AccountID
    package var phone: String
    package var shown: Coordinate
    /// Where it was shown, such as "the map".
    package var screen: String
    package var at: Moment
    package var trace: String?

    package init(
        _ listing: String,
        to viewer: AccountID,
        phone: String,
        shown: Coordinate,
        screen: String,
        at: Moment,
        trace: String? = nil
    ) {
        (self.listing, self.viewer, self.phone, self.shown) = (listing, viewer, phone, shown)
        (self.screen, self.at, self.trace) = (screen, at, trace)
    }
}
