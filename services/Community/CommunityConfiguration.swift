import Files
import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the community service.
struct CommunityConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet, and who blocks whom.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `CHAT_URL`, several joined by commas; while it is not set, nobody has talked to anybody.
    var chatURLs: [String] = []
    /// `NOTIFICATIONS_URL`, several joined by commas: who tells people.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// `PUBLIC_URL`: the gateway, as phones reach it; pictures of With Suhyeon are told of by their whole address.
    var publicURL = "http://127.0.0.1:8080"
    /// `SEOUL_EVENTS_URL`: where the city's calendar of events is.
    var seoulURL = "http://127.0.0.1:8090/seoul"
    /// `SEOUL_KEY`.
    var seoulKey = Self.developmentSeoulKey
    /// `COMMUNITY_REPORTS_TO_HIDE`: so many people's reports hide something from all but its author.
    var reportsToHide = Reports.usualHidingCount
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    /// Not `sample`, which gets five rows at most.
    static let developmentSeoulKey = "madang-development-seoul-key"

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8085)
        self.database = try PostgresConfiguration(
            url: settings.credential(
                "DATABASE_URL",
                development: "postgres://community:community@127.0.0.1:5432/madang"
            ),
            schema: "community",
            applicationName: "community"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.chatURLs = settings.optionalURLs("CHAT_URL")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
        self.publicURL = settings.outside("PUBLIC_URL", sandbox: "http://127.0.0.1:8080")
        self.seoulURL = settings.outside("SEOUL_EVENTS_URL", sandbox: "http://127.0.0.1:8090/seoul")
        self.seoulKey = settings.credential("SEOUL_KEY", development: Self.developmentSeoulKey)
        self.reportsToHide = settings.int(
            "COMMUNITY_REPORTS_TO_HIDE",
            default: Reports.usualHidingCount,
            in: 1...1_000_000
        )
        self.files = FilesConfiguration(&settings, service: "community")
    }
}
