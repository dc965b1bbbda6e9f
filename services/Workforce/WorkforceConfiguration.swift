import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// Settings of the workforce service.
struct WorkforceConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated: queried for users whose events have not arrived yet.
    var authURLs = [HostConfiguration.noServer]
    /// `NOTIFICATIONS_URL`, comma-separated.
    var notificationsURLs = [HostConfiguration.noServer]
    /// The clock; replaced in tests.
    var now: @Sendable () -> Date = { .now }

    /// Creates a configuration with all defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.workforce, port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.workforce, &settings, port: 8083)
        self.database = try PostgresConfiguration(&settings, service: "workforce")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
    }
}
