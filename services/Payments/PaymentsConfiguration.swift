import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the payments service.
struct PaymentsConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated. For profiles not received yet.
    var authURLs = [HostConfiguration.noServer]
    /// `ESTATE_URL`, comma-separated. For listings and their prices.
    var estateURLs = [HostConfiguration.noServer]
    /// `COMMUNITY_URL`, comma-separated. For posts and their prices.
    var communityURLs = [HostConfiguration.noServer]
    /// `NOTIFICATIONS_URL`, comma-separated. Receives events for pushes.
    var notificationsURLs = [HostConfiguration.noServer]
    /// `PORTONE_URL`.
    var portOneURL = HostConfiguration.noServer
    /// `PORTONE_KEY` and `PORTONE_SECRET`: the REST API key and secret of PortOne's console.
    var portOneKey = Self.developmentKey
    var portOneSecret = Self.developmentSecret
    /// `PORTONE_SCRIPT_URL`, `PORTONE_STORE_CODE` and `PORTONE_PG`.
    var payWindow = PaymentWindow()
    /// `PUBLIC_URL`: the gateway's URL for clients; PortOne's window redirects to it.
    var publicURL = "http://127.0.0.1:8080"
    /// `PORTONE_TIMEOUT`: timeout of requests to PortOne.
    var portOneTimeout = Duration.seconds(10)
    /// `PORTONE_TAKES_TESTS`: whether payments of PortOne's test mode, which move no money, count. Not in production.
    var takesTests = true
    /// `PAYMENTS_HOLD`: how long an unpaid order holds its listing.
    var hold = Duration.seconds(600)
    /// `PAYMENTS_ASK_PAUSE`: interval of the requests to PortOne for an open order.
    var askPause = Duration.seconds(120)
    /// `PAYMENTS_CLAIM_WINDOW`: how long after a payment a Seoul Culture user can claim it.
    var claimWindow = Duration.seconds(1800)
    /// The clock; tests replace it.
    var now: @Sendable () -> Date = { .now }

    static let developmentKey = "madang-development-portone-key"
    static let developmentSecret = "madang-development-portone-secret"

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.payments, port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.payments, &settings, port: 8087)
        self.database = try PostgresConfiguration(&settings, service: "payments")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.estateURLs = settings.urls("ESTATE_URL", default: "http://127.0.0.1:8084", "the estate service")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085", "the community service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
        self.portOneURL = settings.outside(
            "PORTONE_URL",
            sandbox: "http://127.0.0.1:8090/portone",
            "PortOne REST v1"
        )
        self.portOneKey = settings.credential(
            "PORTONE_KEY",
            development: Self.developmentKey,
            "PortOne's REST API key (imp_key)"
        )
        self.portOneSecret = settings.credential(
            "PORTONE_SECRET",
            development: Self.developmentSecret,
            "PortOne's REST API secret (imp_secret)"
        )
        self.publicURL = settings.outside("PUBLIC_URL", sandbox: publicURL, "where clients reach the gateway")
        self.payWindow = PaymentWindow(&settings)
        let takesTests = settings.environment != .production
        self.takesTests = settings.value(
            "PORTONE_TAKES_TESTS",
            default: takesTests,
            "true or false",
            "whether payments of the test mode count"
        ) { Bool($0) }
        self.hold = settings.seconds(
            "PAYMENTS_HOLD",
            default: 600,
            "seconds for which an unpaid order reserves its listing"
        )
        self.askPause = settings.seconds(
            "PAYMENTS_ASK_PAUSE",
            default: 120,
            "seconds between two questions to PortOne about an open order"
        )
        self.portOneTimeout = settings.seconds(
            "PORTONE_TIMEOUT",
            default: 10,
            "seconds in which PortOne has to answer"
        )
        self.claimWindow = settings.seconds(
            "PAYMENTS_CLAIM_WINDOW",
            default: 1800,
            "seconds after a payment in which a Seoul Culture user may claim it"
        )
    }
}

extension PaymentWindow {
    fileprivate init(_ settings: inout Settings) {
        let script = settings.outside(
            "PORTONE_SCRIPT_URL",
            sandbox: Self.sandboxScript,
            "PortOne's payment window script"
        )
        self.init(
            script: settings.value(
                "PORTONE_SCRIPT_URL",
                default: script,
                "the http(s) address of a script",
                "PortOne's payment window script"
            ) { _ in
                Self.origin(of: script) == nil ? nil : script
            },
            store: settings.credential(
                "PORTONE_STORE_CODE",
                development: Self.developmentStore,
                "the shop's code at PortOne"
            ),
            provider: settings.string(
                "PORTONE_PG",
                default: Self.testProvider,
                "the payment provider that the window opens"
            )
        )
    }
}
