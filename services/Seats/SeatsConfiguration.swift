import Postgres
import ServiceHost

/// Every setting of the seats service.
struct SeatsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration

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
    }
}
