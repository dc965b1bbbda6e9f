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
        var listing: ListingSummary
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
        let summaries = try await store.nearest(
            centre,
            radius: radius,
            filter,
            limit: limit,
            for: account,
            in: database
        )
        return
            summaries
            .map { Found(listing: $0, distance: centre.distance(to: $0.position.shown)) }
            .filter { $0.distance <= radius }
            .sorted { ($0.distance, $0.listing.publicID) < ($1.distance, $1.listing.publicID) }
    }

    /// The data of a single listing's pin.
    struct Card: Sendable, Equatable {
        var category: String
        /// Won.
        var deposit: Int64
        /// Won.
        var monthlyRent: Int64
        /// Path of the first picture.
        var thumbnail: String?
    }

    /// Maximum number of cards per request.
    static let cardLimit = 1000

    /// The cards of listings, by public ID.
    func cards(of publicIDs: [PublicID]) async throws -> [PublicID: Card] {
        guard !publicIDs.isEmpty else { return [:] }
        return try await store.cards(of: publicIDs, in: database)
    }
}
