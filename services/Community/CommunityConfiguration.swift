import Contracts
import Files
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the community service.
struct CommunityConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated. For profiles not received yet, and blocked phone numbers.
    var authURLs = [HostConfiguration.noServer]
    /// `CHAT_URL`, comma-separated. Without it, companion posts have no chat rooms.
    var chatURLs: [String] = []
    /// `NOTIFICATIONS_URL`, comma-separated. Receives events for pushes.
    var notificationsURLs = [HostConfiguration.noServer]
    /// `PUBLIC_URL`: the gateway's URL for clients, as in the URLs of With Suhyeon's pictures.
    var publicURL = "http://127.0.0.1:8080"
    /// `SEOUL_EVENTS_URL`: base URL of the city's API of events.
    var seoulURL = HostConfiguration.noServer
    /// `SEOUL_KEY`.
    var seoulKey = Self.developmentSeoulKey
    /// `COMMUNITY_REPORTS_TO_HIDE`: number of reporting users after which content is hidden from all users but its
    /// author.
    var reportsToHide = Reports.usualHidingCount
    /// `COMMUNITY_REPORTER_AGE`: how long an account must have existed for its reports to count.
    var reporterAge = Duration.seconds(Reports.usualReporterAge)
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// The clock; tests replace it.
    var now: @Sendable () -> Date = { .now }

    /// Not `sample`, which is limited to five rows.
    static let developmentSeoulKey = "madang-development-seoul-key"

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.community, port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.community, &settings, port: 8085)
        self.database = try PostgresConfiguration(&settings, service: "community")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.chatURLs = settings.optionalURLs("CHAT_URL", "the chat service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
        self.publicURL = settings.outside(
            "PUBLIC_URL",
            sandbox: "http://127.0.0.1:8080",
            "where clients reach the gateway"
        )
        self.seoulURL = settings.outside(
            "SEOUL_EVENTS_URL",
            sandbox: "http://127.0.0.1:8090/seoul",
            "open data of Seoul: cultural events"
        )
        self.seoulKey = settings.credential(
            "SEOUL_KEY",
            development: Self.developmentSeoulKey,
            "key for the open data of Seoul"
        )
        self.reportsToHide = settings.int(
            "COMMUNITY_REPORTS_TO_HIDE",
            default: Reports.usualHidingCount,
            in: 1...1_000_000,
            "reports of different users after which something is hidden"
        )
        self.reporterAge = settings.seconds(
            "COMMUNITY_REPORTER_AGE",
            default: Reports.usualReporterAge,
            "seconds for which an account must have existed for its reports to count"
        )
        self.files = FilesConfiguration(&settings, service: "community")
    }
}
