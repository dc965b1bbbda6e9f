import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the payments service.
struct PaymentsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `ESTATE_URL`, several joined by commas: who knows what a listing costs.
    var estateURLs = ["http://127.0.0.1:8084"]
    /// `COMMUNITY_URL`, several joined by commas: who knows what a post asks for.
    var communityURLs = ["http://127.0.0.1:8085"]
    /// `NOTIFICATIONS_URL`, several joined by commas: who tells people.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// `PORTONE_URL`.
    var portOneURL = "http://127.0.0.1:8090/portone"
    /// `PORTONE_KEY` and `PORTONE_SECRET`: what PortOne's console calls the REST API key and its secret.
    var portOneKey = Self.developmentKey
    var portOneSecret = Self.developmentSecret
    /// `PORTONE_SCRIPT_URL`, `PORTONE_STORE_CODE` and `PORTONE_PG`.
    var payWindow = PayWindow()
    /// `PUBLIC_URL`: where phones reach the gateway; PortOne's window sends them back there.
    var publicURL = "http://127.0.0.1:8080"
    /// `PORTONE_PATIENCE`: how long an answer of PortOne may take.
    var portOnePatience = Duration.seconds(10)
    /// `PORTONE_TAKES_TESTS`: whether payments of PortOne's test mode count, which move no money; not in production.
    var takesTests = true
    /// `PAYMENTS_HOLD`: for so long an order holds its listing unpaid.
    var hold = Duration.seconds(600)
    /// `PAYMENTS_ASK_PAUSE`: how often PortOne is asked after an order that is open.
    var askPause = Duration.seconds(120)
    /// `PAYMENTS_CLAIM_WINDOW`: so long after paying somebody of Seoul Culture may say what it was for.
    var claimWindow = Duration.seconds(1800)
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    static let developmentKey = "madang-development-portone-key"
    static let developmentSecret = "madang-development-portone-secret"

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8087)
        self.database = try PostgresConfiguration(
            url: settings.credential(
                "DATABASE_URL",
                development: "postgres://payments:payments@127.0.0.1:5432/madang"
            ),
            schema: "payments",
            applicationName: "payments"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.estateURLs = settings.urls("ESTATE_URL", default: "http://127.0.0.1:8084")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
        self.portOneURL = settings.outside("PORTONE_URL", sandbox: portOneURL)
        self.portOneKey = settings.credential("PORTONE_KEY", development: Self.developmentKey)
        self.portOneSecret = settings.credential("PORTONE_SECRET", development: Self.developmentSecret)
        self.publicURL = settings.outside("PUBLIC_URL", sandbox: publicURL)
        self.payWindow = PayWindow(&settings)
        let takesTests = settings.environment != .production
        self.takesTests = settings.value("PORTONE_TAKES_TESTS", default: takesTests, "true or false") { Bool($0) }
        self.hold = settings.seconds("PAYMENTS_HOLD", default: 600)
        self.askPause = settings.seconds("PAYMENTS_ASK_PAUSE", default: 120)
        self.portOnePatience = settings.seconds("PORTONE_PATIENCE", default: 10)
        self.claimWindow = settings.seconds("PAYMENTS_CLAIM_WINDOW", default: 1800)
    }
}

extension PayWindow {
    fileprivate init(_ settings: inout Settings) {
        let script = settings.outside("PORTONE_SCRIPT_URL", sandbox: Self.sandboxScript)
        self.init(
            script: settings.value("PORTONE_SCRIPT_URL", default: script, "the http(s) address of a script") { _ in
                Self.origin(of: script) == nil ? nil : script
            },
            store: settings.credential("PORTONE_STORE_CODE", development: Self.developmentStore),
            provider: settings.string("PORTONE_PG", default: Self.testProvider)
        )
    }
}
