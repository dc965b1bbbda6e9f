import Contracts
import Files
import FoundationEssentials
import NIOCore
import Postgres
import ServiceHost

/// Every setting of the auth service.
struct AuthConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_KEY_SECRET`: seals private signing keys in the database.
    var keySecret = Self.developmentKeySecret
    /// `AUTH_KEY_PERIOD`: seconds for which a key signs.
    var keyPeriod: TimeInterval = 30 * 86_400
    /// `AUTH_KEY_LEAD`: seconds for which a key is published before it signs; longer than verifiers keep their copy.
    var keyLead: TimeInterval = 300
    /// `AUTH_ACCESS_TTL` and `AUTH_REFRESH_TTL`, in seconds; each app has its own when they are not set.
    var accessTTL: Int?
    var refreshTTL: Int?
    /// `MOUP_LEAVING_TIME`: seconds in which signing in brings a MOUP account back that was to be deleted.
    var moupLeavingTime = 3 * 86_400
    /// `NOTICE_SPOOL`: the folder in which notices of providers wait for the database.
    var noticeSpool = Self.usualNoticeSpool
    /// `SEATS_URL`, several joined by commas.
    var seatsURLs = ["http://127.0.0.1:8082"]
    /// `WORKFORCE_URL`, several joined by commas.
    var workforceURLs = ["http://127.0.0.1:8083"]
    /// `ESTATE_URL`, several joined by commas.
    var estateURLs = ["http://127.0.0.1:8084"]
    /// `COMMUNITY_URL`, several joined by commas.
    var communityURLs = Self.usualCommunityURLs
    /// `CHAT_URL`, several joined by commas.
    var chatURLs = ["http://127.0.0.1:8086"]
    /// `PAYMENTS_URL`, several joined by commas.
    var paymentsURLs = ["http://127.0.0.1:8087"]
    /// `NOTIFICATIONS_URL`, several joined by commas.
    var notificationsURLs = ["http://127.0.0.1:8088"]
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// `PUBLIC_URL`: where phones reach the gateway, for the URLs of pictures that MOUP is given.
    var publicURL = "http://127.0.0.1:8080"
    /// `KAKAO_…`, `APPLE_…`, `GOOGLE_…` and `SMS_…`.
    var providers = ProviderSettings()
    var passwordCost = PasswordHasher.Cost()
    /// `PASSWORD_THREADS`: passwords that are hashed at once.
    var passwordThreads = Self.usualPasswordThreads
    /// `PASSWORD_QUEUE`: sign-ins that may wait for a hash; more are told to try again.
    var passwordQueue = 200

    static let usualNoticeSpool = "/var/tmp/madang-auth-notices"
    static let developmentKeySecret = "madang-development-key-secret"

    /// `LIMIT_…`: how often in ten minutes; see `Allowances.Kind`.
    var limits = Dictionary(uniqueKeysWithValues: Allowances.Kind.allCases.map { ($0, $0.setting.usual) })

    /// Half of the cores: the others are left to those who are signed in.
    static let usualPasswordThreads = max(1, System.coreCount / 2)

    /// What time it is for sessions; a test has its own.
    var now: @Sendable () -> Date = { .now }

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
        self.files = .temporary
    }

    static let usualCommunityURLs = ["http://127.0.0.1:8085"]

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8081)
        self.database = try PostgresConfiguration(
            url: settings.credential("DATABASE_URL", development: "postgres://auth:auth@127.0.0.1:5432/madang"),
            schema: "auth",
            applicationName: "auth"
        )
        self.keySecret = settings.secret("AUTH_KEY_SECRET", development: Self.developmentKeySecret)
        self.keyPeriod = Double(settings.int("AUTH_KEY_PERIOD", default: 30 * 86_400, in: 2...31_536_000))
        self.keyLead = Double(settings.int("AUTH_KEY_LEAD", default: 300, in: 1...86_400))
        self.accessTTL = settings.optionalInt("AUTH_ACCESS_TTL", in: 1...86_400)
        self.refreshTTL = settings.optionalInt("AUTH_REFRESH_TTL", in: 1...31_536_000)
        self.moupLeavingTime = settings.int("MOUP_LEAVING_TIME", default: 3 * 86_400, in: 0...31_536_000)
        self.noticeSpool = settings.string("NOTICE_SPOOL", default: Self.usualNoticeSpool)
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085")
        self.chatURLs = settings.urls("CHAT_URL", default: "http://127.0.0.1:8086")
        self.paymentsURLs = settings.urls("PAYMENTS_URL", default: "http://127.0.0.1:8087")
        self.notificationsURLs = settings.urls("NOTIFICATIONS_URL", default: "http://127.0.0.1:8088")
        self.files = FilesConfiguration(&settings, service: "auth")
        self.publicURL = settings.outside("PUBLIC_URL", sandbox: "http://127.0.0.1:8080")
        self.seatsURLs = settings.urls("SEATS_URL", default: "http://127.0.0.1:8082")
        self.workforceURLs = settings.urls("WORKFORCE_URL", default: "http://127.0.0.1:8083")
        self.estateURLs = settings.urls("ESTATE_URL", default: "http://127.0.0.1:8084")
        self.providers = ProviderSettings(&settings)
        self.passwordThreads = settings.int(
            "PASSWORD_THREADS",
            default: Self.usualPasswordThreads,
            in: 1...64
        )
        for kind in Allowances.Kind.allCases {
            let (name, usual) = kind.setting
            self.limits[kind] = settings.int(name, default: usual, in: 0...1_000_000)
        }
        self.passwordQueue = settings.int("PASSWORD_QUEUE", default: 200, in: 1...10_000)
    }

    /// Seconds in which somebody who leaves an app may come back.
    func leavingTime(of app: App) -> Int {
        app == .moup ? moupLeavingTime : 0
    }

    /// How long an app's tokens live.
    func lifetimes(of app: App) -> TokenLifetimes {
        let day = 86_400
        let usual =
            switch app {
            case .moup: TokenLifetimes(access: 20 * 60, refresh: 7 * day)
            case .anlaka: TokenLifetimes(access: 15 * 60, refresh: 14 * day)
            // Its client never refreshes, and signs out at the first 401 (With Suhyeon contract 4.2): the access token is
            // the session. What ends it early is revocation, at every gateway within a second.
            case .withsuhyeon: TokenLifetimes(access: 14 * day, refresh: 14 * day)
            default: TokenLifetimes(access: 30 * 60, refresh: 14 * day)
            }
        return TokenLifetimes(access: accessTTL ?? usual.access, refresh: refreshTTL ?? usual.refresh)
    }
}
