import Contracts
import Postgres
import Values

/// Listings by position. Uses public positions only.
struct ListingMap: Sendable {
    let database: PostgresClient
    /// Maximum number of listings in a response.
    let limit: Int
    private let store = MapStore()

    /// A listing with the distance of its public position.
    struct Found: Sendable {
        var listing: ListingEntry
        /// Metres.
        var distance: Double
    }

    /// The listings within a radius, nearest first.
    ///
    /// - Parameters:
    ///   - radius: Metres, at least 0.
    ///   - account: The viewer.
    func nearest(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        for account: AccountID
    ) async throws -> [Found] {
        let search = NearestSearch(centre: centre, radius: radius, filter: filter, limit: limit, account: account)
        let entries = try await store.nearest(search, in: database)
        return
            entries
            .map { Found(listing: $0, distance: centre.distance(to: $0.position.shown)) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.listing.publicID) < ($1.distance, $1.listing.publicID) }
    }
}
