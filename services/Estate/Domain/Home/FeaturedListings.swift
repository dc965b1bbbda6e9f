import Contracts
import FoundationEssentials
import Postgres

/// The listings selected for the home screen (Anlaka contract 2.2, calls 18 to 20).
struct FeaturedListings: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = ListingStore()

    private static let todayLimit = 3
    private static let limit = 10
    /// Seconds: 30 days.
    static let hotPeriod = 30 * 86_400.0
    /// Seconds between two counts of likes.
    static let countPause = 60.0
    /// Number of counted listings: enough when some are deleted before the next count.
    private static let countLimit = 5 * limit
    /// Number of latest likes that determine similar listings.
    private static let tasteLimit = 20

    /// The newest three safe listings.
    func today(for account: AccountID) async throws -> [ListingEntry] {
        try await store.entries(FeaturedListingStore.safe(limit: Self.todayLimit, for: account), in: database)
    }

    /// The ten listings with the most likes in the last 30 days at the last count, with equal counts the newest first. If
    /// fewer have likes, the newest others follow.
    func hot(for account: AccountID) async throws -> [ListingEntry] {
        try await store.entries(FeaturedListingStore.liked(limit: Self.limit, for: account), in: database)
    }

    /// Counts the likes of the last 30 days, once a minute for all replicas: what it costs grows with the likes.
    func countLikes() async throws {
        let now = now()
        try await FeaturedListingStore.countLikes(
            since: now - Self.hotPeriod,
            at: now,
            unlessCountedAfter: now - Self.countPause,
            limit: Self.countLimit,
            in: database
        )
    }

    /// The newest ten listings with the category and price band of one of the caller's twenty latest likes, without the
    /// caller's own listings and likes. If there are none, the newest ten without these.
    ///
    /// The price band depends on the monthly cost: the rent plus the deposit at 6 percent a year (a 200th per month),
    /// as is usual for converting deposits into rent. The bands start at 0, 300,000, 450,000, 650,000, 1,000,000,
    /// 1,500,000, 2,200,000, 3,300,000, 5,000,000 and 10,000,000 won.
    func similar(for account: AccountID) async throws -> [ListingEntry] {
        let similar = try await store.entries(
            FeaturedListingStore.similar(toLatest: Self.tasteLimit, of: account, limit: Self.limit),
            in: database
        )
        guard similar.isEmpty else { return similar }
        return try await store.entries(FeaturedListingStore.newest(limit: Self.limit, for: account), in: database)
    }
}
