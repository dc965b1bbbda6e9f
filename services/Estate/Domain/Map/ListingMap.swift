import Geography
import Postgres

/// Listings on the map. All of it goes by where they are shown, never by where they are.
struct ListingMap: Sendable {
    let database: PostgresClient
    /// Listings in one answer, the nearest.
    let limit: Int
    private let store = MapStore()

    init(database: PostgresClient, limit: Int) {
        self.database = database
        self.limit = limit
    }

    /// A listing, and how far its place on the map is from where was asked.
    struct Found: Sendable {
        var listing: ListingSummary
        /// Metres.
        var distance: Double
    }

    /// The listings within a distance, the nearest first.
    ///
    /// - Parameters:
    ///   - radius: metres, 0 or more.
    ///   - account: who looks.
    func nearest(
        _ centre: Coordinate,
        radius: Double,
        _ filter: ListingFilter,
        for account: Int64
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

    /// What the pin of a single listing shows.
    struct Card: Sendable, Equatable {
        var category: String
        /// Won.
        var deposit: Int64
        /// Won.
        var monthlyRent: Int64
        /// The path of its first picture.
        var thumbnail: String?
    }

    /// So many cards at most are asked for at once.
    static let cardLimit = 1000

    /// What pins of single listings show, by id.
    func cards(of publicIDs: [String]) async throws -> [String: Card] {
        guard !publicIDs.isEmpty else { return [:] }
        return try await store.cards(of: publicIDs, in: database)
    }
}
