import FoundationEssentials
import Postgres

/// The listings that the home screen picks out (Anlaka contract 2.2, calls 18 to 20).
struct Picks: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = ListingStore()

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    private static let todayLimit = 3
    private static let limit = 10
    /// Seconds: 30 days.
    static let hotPeriod = 30 * 86_400.0
    /// So many of somebody's latest likes say what they look for.
    private static let tasteLimit = 20

    /// The newest three that are safe.
    func today(for account: Int64) async throws -> [ListingSummary] {
        try await store.summaries(PickStore.safe(limit: Self.todayLimit, for: account), in: database)
    }

    /// The ten that were liked most in the last 30 days, of equally many likes the newest first. When fewer have been liked,
    /// the newest of the others follow, so that there are ten if there are as many at all.
    func hot(for account: Int64) async throws -> [ListingSummary] {
        let start = now() - Self.hotPeriod
        return try await store.summaries(
            PickStore.liked(since: start, limit: Self.limit, for: account),
            in: database
        )
    }

    /// The newest ten of the same category and price band as one of the caller's twenty latest likes, but for the caller's own
    /// and those that they like already. Where there is none, the newest ten but for these.
    ///
    /// A listing's price band goes by what it costs a month: its rent, and what its deposit would cost at 6 percent a year
    /// (a 200th a month), as is usual where deposits are turned into rent. The bands are parted at 300,000, 450,000, 650,000,
    /// 1,000,000, 1,500,000, 2,200,000, 3,300,000, 5,000,000 and 10,000,000 won, each lower end included.
    func similar(for account: Int64) async throws -> [ListingSummary] {
        let similar = try await store.summaries(
            PickStore.similar(toLatest: Self.tasteLimit, of: account, limit: Self.limit),
            in: database
        )
        guard similar.isEmpty else { return similar }
        return try await store.summaries(PickStore.newest(limit: Self.limit, for: account), in: database)
    }
}
