import Contracts
import Postgres
import Values

/// SQL of the map.
struct MapStore: Sendable {
    /// The listings nearest to a place, in no particular order, and some that are slightly beyond the radius.
    func nearest(_ search: NearestSearch, in database: some Querying) async throws -> [ListingEntry] {
        if !search.isNearby {
            let found = try await ListingStore().entries(search.bySpot, in: database)
            if search.isComplete(found.count) { return found }
        }
        return try await ListingStore().entries(search.byCells, in: database)
    }

    /// What the pins of listings show, by public ID.
    func cards(of publicIDs: [PublicID], in database: some Querying) async throws -> [PublicID: MapView.Card] {
        let cards = try await database.all(
            """
            SELECT public_id, category, deposit, monthly_rent, thumbnails[1] FROM listings
            WHERE public_id = ANY(\(publicIDs))
            """
        ) { row in
            let (id, category, deposit, rent, path) = try row.decode(
                as: (PublicID, String, Int64, Int64, String?).self
            )
            return (id, MapView.Card(category: category, deposit: deposit, monthlyRent: rent, thumbnail: path))
        }
        return Dictionary(cards) { first, _ in first }
    }

    /// The condition of a filter on `listings l`.
    static func matches(_ filter: ListingFilter) -> SQL {
        var condition: SQL = "true"
        if let category = filter.category { condition = "\(condition) AND l.category = \(category)" }
        if let least = filter.area.least { condition = "\(condition) AND l.area >= \(least)" }
        if let most = filter.area.most { condition = "\(condition) AND l.area <= \(most)" }
        if let least = filter.rent.least { condition = "\(condition) AND l.monthly_rent >= \(least)" }
        if let most = filter.rent.most { condition = "\(condition) AND l.monthly_rent <= \(most)" }
        if let least = filter.deposit.least { condition = "\(condition) AND l.deposit >= \(least)" }
        if let most = filter.deposit.most { condition = "\(condition) AND l.deposit <= \(most)" }
        return condition
    }
}
