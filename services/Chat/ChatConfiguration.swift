import Contracts
import Files
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the chat service.
struct ChatConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated. For profiles not received yet, socket tickets and blocked phone numbers.
    var authURLs = [HostConfiguration.noServer]
    /// `COMMUNITY_URL`, comma-separated. For companion posts.
    var communityURLs = [HostConfiguration.noServer]
    /// `NOTIFICATIONS_URL`, comma-separated. Receives events for pushes.
    var notificationsURLs = [HostConfiguration.noServer]
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// How long a With Suhyeon account stays in its room without a socket.
    var membershipGracePeriod = Duration.seconds(30)
    /// The clock; tests replace it.
    var now: @Sendable () -> Date = { .now }

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.chat, port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.chat, &settings, port: 8086)
        self.database = try PostgresConfiguration(&settings, service: "chat")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085", "the community service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
        self.files = FilesConfiguration(&settings, service: "chat")
    }
}
