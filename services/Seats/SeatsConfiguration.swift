import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// Settings of the seats service.
struct SeatsConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated: the issuer of access tokens.
    var authURLs = [HostConfiguration.noServer]
    /// `NOTIFICATIONS_URL`, comma-separated.
    var notificationsURLs = [HostConfiguration.noServer]
    /// `ACCESS_TOKEN_LEEWAY`: seconds after its expiry during which a token still opens a socket.
    var tokenLeeway: Int64 = 30
    /// `SEAT_REWARD`, `SEAT_DAILY_REWARDS`, `SEAT_CLAW_BACK`, `SEAT_UNLOCK_PRICE`, `SEAT_REQUEST_TIME`, `SEAT_LEASE`.
    var policy = SeatPolicy()
    /// `SEOUL_URL`: Seoul's realtime arrivals API.
    var seoulURL = HostConfiguration.noServer
    /// `SEOUL_KEY`: the API key for it.
    var seoulKey = Self.developmentSeoulKey
    /// `SEOUL_DAILY_CALLS`.
    var arrivals = ArrivalsPolicy()

    /// The key that the real API accepts for a few rows, and the sandbox for all.
    static let developmentSeoulKey = "sample"

    /// Creates a configuration with all defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.seats, port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.seats, &settings, port: 8082)
        // Changes of a car wait for its lock; more transactions than the machine can run would only wait in PostgreSQL.
        self.database = try PostgresConfiguration(
            &settings,
            service: "seats",
            transactions: 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
        self.tokenLeeway = Int64(
            settings.int(
                "ACCESS_TOKEN_LEEWAY",
                default: 30,
                in: 0...300,
                "seconds after its expiry in which an access token is accepted"
            )
        )
        self.policy.reward = Int64(
            settings.int(
                "SEAT_REWARD",
                default: 300,
                in: 0...1_000_000,
                "credit for a seat registered on a train that was sighted today"
            )
        )
        self.policy.dailyRewards = settings.int(
            "SEAT_DAILY_REWARDS",
            default: 8,
            in: 0...1_000,
            "rewards that a passenger gets in a day at most"
        )
        self.policy.clawBackSeconds = Double(
            settings.int(
                "SEAT_CLAW_BACK",
                default: 300,
                in: 0...86_400,
                "seconds after which a reward is kept when the seat is released"
            )
        )
        self.policy.unlockPrice = Int64(
            settings.int(
                "SEAT_UNLOCK_PRICE",
                default: 10,
                in: 1...1_000_000,
                "credit that the seats of a car cost to see"
            )
        )
        self.policy.requestSeconds = Double(
            settings.int(
                "SEAT_REQUEST_TIME",
                default: 180,
                in: 1...86_400,
                "seconds in which a yield request is answered"
            )
        )
        self.policy.leaseSeconds = Double(
            settings.int(
                "SEAT_LEASE",
                default: 3600,
                in: 60...86_400,
                "seconds after which a seat is released by itself"
            )
        )
        self.seoulURL = settings.outside(
            "SEOUL_URL",
            sandbox: "http://127.0.0.1:8090/seoul",
            "open data of Seoul: train arrivals"
        )
        self.seoulKey = settings.credential(
            "SEOUL_KEY",
            development: Self.developmentSeoulKey,
            "key for the open data of Seoul"
        )
        self.arrivals.dailyCalls = settings.int(
            "SEOUL_DAILY_CALLS",
            default: 1_000,
            in: 1...100_000_000,
            "calls of the train arrivals that the key allows in a day"
        )
    }
}
