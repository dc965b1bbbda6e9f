import FoundationEssentials
import Postgres
import Values

/// Stores the region names of listings, so that lists need no search per row. The name is requested after the creation
/// of a listing, for its public position, so Kakao does not learn the exact one.
///
/// Taking a listing sets the time of its next attempt, as after a failure, so that several replicas can work in
/// parallel, and a crash needs no cleanup.
struct RegionLabels: Sendable {
    let database: PostgresClient
    let places: Places
    let now: @Sendable () -> Date
    private let store = RegionStore()

    /// Longest pause after a failure, in seconds.
    static let longestPause = 3600
    /// Pause after the first failure in seconds; doubled after each further one.
    static let firstPause = 15

    /// Stores the region of one listing that is due.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `EstateError.placesUnavailable`; the listing is retried later.
    func labelNext() async throws -> Bool {
        guard let due = try await store.takeDue(at: now(), in: database) else { return false }
        let region = try await places.name(of: due.shown, by: nil)?.region
        try await store.settle(due, region: region, in: database)
        return true
    }
}

/// A listing without a region.
struct DueRegion: Sendable, Equatable {
    var listing: ListingID
    var shown: Coordinate
}
