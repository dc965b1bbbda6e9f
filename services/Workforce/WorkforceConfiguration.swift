import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the workforce service.
struct WorkforceConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `NOTIFICATIONS_URL`, several joined by commas: who tells people.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8083)
        self.database = try PostgresConfiguration(
            url: settings.credential(
                "DATABASE_URL",
                development: "postgres://workforce:workforce@127.0.0.1:5432/madang"
            ),
            schema: "workforce",
            applicationName: "workforce"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
    }
}
