import Contracts
import Values

/// The exact position of a listing is shown only to those who may see it.
///
/// Assumes that no listing has moved during the run. Others are shown a place 30 to 80 metres away (Anlaka contract 7), the
/// same for all and at all times: different ones would average out to the exact one. Listings of one creator at one exact
/// place are shown at one place for the same reason.
///
/// Checks the distance of each shown position, and that there is only one for each listing, and for each creator and
/// exact place.
package enum PositionsAreHidden {
    package static let promise = "The exact position of a listing is shown only to those who may see it."
    /// Metres, with the tenth to which positions are rounded.
    private static let distances = 29.9...80.1
    /// Metres, twice the rounding: the same position by two ways.
    private static let tolerance = 0.3

    package static func check(_ shown: [ShownPosition], of listings: [ListingPosition]) -> Finding {
        let known = Dictionary(listings.map { ($0.listing, $0) }) { first, _ in first }
        var first: [String: ShownPosition] = [:]
        var atPlace: [Place: ShownPosition] = [:]
        var reported: Set<String> = []
        var violations: [Violation] = []
        for position in shown.sorted(by: { $0.at < $1.at }) {
            guard let listing = known[position.listing], !listing.known.contains(position.viewer) else { continue }
            let place = Place(listing)
            let violation =
                distance(of: position, listing) ?? change(of: position, since: first[position.listing])
                ?? difference(of: position, from: atPlace[place])
            if let violation, reported.insert(position.listing).inserted { violations.append(violation) }
            if first[position.listing] == nil { first[position.listing] = position }
            if atPlace[place] == nil { atPlace[place] = position }
        }
        return Finding(promise, checked: shown.count, violations: violations)
    }

    /// A creator and an exact place.
    private struct Place: Hashable {
        var creator: AccountID
        var latitude: Double
        var longitude: Double

        init(_ listing: ListingPosition) {
            (creator, latitude, longitude) = (listing.creator, listing.exact.latitude, listing.exact.longitude)
        }
    }

    private static func distance(of position: ShownPosition, _ listing: ListingPosition) -> Violation? {
        let metres = position.shown.distance(to: listing.exact)
        guard !distances.contains(metres) else { return nil }
        let tenths = (metres * 10).rounded() / 10
        return Violation(
            "\(position.phone) was shown listing \(position.listing) \(tenths) m from its exact position.",
            story: [step(position)]
        )
    }

    private static func change(of position: ShownPosition, since first: ShownPosition?) -> Violation? {
        guard let first, first.shown.distance(to: position.shown) > tolerance else { return nil }
        return Violation(
            "Listing \(position.listing) was shown at two places, to \(first.phone) and \(position.phone).",
            story: [step(first), step(position)]
        )
    }

    private static func difference(of position: ShownPosition, from other: ShownPosition?) -> Violation? {
        guard let other, other.shown.distance(to: position.shown) > tolerance else { return nil }
        return Violation(
            "Listings \(other.listing) and \(position.listing) of one creator are at one place, and shown at two.",
            story: [step(other), step(position)]
        )
    }

    private static func step(_ position: ShownPosition) -> Step {
        let place = "\(position.shown.latitude), \(position.shown.longitude)"
        return Step(
            at: position.at,
            phone: position.phone,
            what: "was shown listing \(position.listing) at \(place) on \(position.screen)",
            trace: position.trace
        )
    }
}
