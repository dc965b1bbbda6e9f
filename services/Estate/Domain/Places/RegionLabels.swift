import FoundationEssentials
import Geography
import Postgres

/// What people call the places of listings, written down with them, so that nobody has to ask row by row. It is asked for
/// after the listing has been made, by where the listing is shown: Kakao does not learn more than anybody.
///
/// Whoever asks takes the listing for as long as it would wait after a failure, so that several copies of the service can be
/// at it, and one that dies leaves nothing behind.
struct RegionLabels: Sendable {
    let database: PostgresClient
    let places: Places
    let now: @Sendable () -> Date
    private let store = RegionStore()

    init(database: PostgresClient, places: Places, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.places = places
        self.now = now
    }

    /// Longest pause after a failure, in seconds.
    static let longestPause = 3600
    /// The pause after the first failure, in seconds; each further one doubles it.
    static let firstPause = 15

    /// Labels one listing that is due.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `EstateError.placesUnavailable`; the listing is tried again later.
    func labelNext() async throws -> Bool {
        guard let due = try await store.takeDue(at: now(), in: database) else { return false }
        let region = try await places.name(of: due.shown)?.region
        try await store.settle(due, region: region, in: database)
        return true
    }
}

/// A listing whose region is not known.
struct DueRegion: Sendable, Equatable {
    var listing: Int64
    var shown: Coordinate
}
