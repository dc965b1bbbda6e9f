import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the seats service.
struct SeatsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: whose tokens open sockets.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `NOTIFICATIONS_URL`, several joined by commas: who tells people.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// `ACCESS_TOKEN_LEEWAY`: seconds after its expiry during which a token still opens a socket.
    var tokenLeeway: Int64 = 30
    /// `SEAT_REWARD`, `SEAT_CLAW_BACK`, `SEAT_UNLOCK_PRICE`, `SEAT_REQUEST_TIME`, `SEAT_LEASE`.
    var policy = SeatPolicy()
    /// `SEOUL_URL`: Seoul's realtime arrivals.
    var seoulURL = "http://127.0.0.1:8090/seoul"
    /// `SEOUL_KEY`: our key there.
    var seoulKey = Self.developmentSeoulKey
    /// How long an answer of the arrivals service is good.
    var arrivalsFreshness = Duration.seconds(10)

    /// The key that the real service accepts for a few rows, and the sandbox for all.
    static let developmentSeoulKey = "sample"

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8082)
        self.database = try PostgresConfiguration(
            url: settings.credential("DATABASE_URL", development: "postgres://seats:seats@127.0.0.1:5432/madang"),
            schema: "seats",
            applicationName: "seats"
        )
        // Who changes a car waits for its lock; more transactions than the machine can run would only wait in PostgreSQL.
        self.database.leasedConnections = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
        self.tokenLeeway = Int64(settings.int("ACCESS_TOKEN_LEEWAY", default: 30, in: 0...300))
        self.policy.reward = Int64(settings.int("SEAT_REWARD", default: 300, in: 0...1_000_000))
        self.policy.clawBackSeconds = Double(settings.int("SEAT_CLAW_BACK", default: 300, in: 0...86_400))
        self.policy.unlockPrice = Int64(settings.int("SEAT_UNLOCK_PRICE", default: 10, in: 1...1_000_000))
        self.policy.requestSeconds = Double(settings.int("SEAT_REQUEST_TIME", default: 180, in: 1...86_400))
        self.policy.leaseSeconds = Double(settings.int("SEAT_LEASE", default: 3600, in: 60...86_400))
        self.seoulURL = settings.outside("SEOUL_URL", sandbox: "http://127.0.0.1:8090/seoul")
        self.seoulKey = settings.credential("SEOUL_KEY", development: Self.developmentSeoulKey)
    }
}
