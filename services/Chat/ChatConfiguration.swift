import Files
import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the chat service.
struct ChatConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet, whose ticket it is, and who
    /// blocks whom.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `COMMUNITY_URL`, several joined by commas: who knows the companion posts that people talk about.
    var communityURLs = ["http://127.0.0.1:8085"]
    /// `NOTIFICATIONS_URL`, several joined by commas: who tells people.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// For so long a room that somebody of With Suhyeon has joined stays so without a socket.
    var joinedPatience = Duration.seconds(30)
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8086)
        self.database = try PostgresConfiguration(
            url: settings.credential(
                "DATABASE_URL",
                development: "postgres://chat:chat@127.0.0.1:5432/madang"
            ),
            schema: "chat",
            applicationName: "chat"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
        self.files = FilesConfiguration(&settings, service: "chat")
    }
}
