import Postgres
import ServiceHost

/// Every setting of the seats service.
struct SeatsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
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
        self.seoulURL = settings.outside("SEOUL_URL", sandbox: "http://127.0.0.1:8090/seoul")
        self.seoulKey = settings.credential("SEOUL_KEY", development: Self.developmentSeoulKey)
    }
}
