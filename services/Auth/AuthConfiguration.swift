import Contracts
import Files
import FoundationEssentials
import NIOCore
import Postgres
import ServiceDatabase
import ServiceKit

/// Settings of the auth service.
struct AuthConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_KEY_SECRET`: encrypts private signing keys in the database.
    var keySecret = Self.developmentKeySecret
    /// `AUTH_KEY_PERIOD`: seconds for which a key signs tokens.
    var keyPeriod: TimeInterval = 30 * 86_400
    /// `AUTH_KEY_LEAD`: seconds for which a key is published before it signs; longer than verifiers cache the key set.
    var keyLead: TimeInterval = 300
    /// `AUTH_ACCESS_TTL` and `AUTH_REFRESH_TTL`, in seconds; nil selects the default of each app.
    var accessTTL: Int?
    var refreshTTL: Int?
    /// `MOUP_LEAVING_TIME`: seconds in which a sign-in cancels the withdrawal of a MOUP account.
    var moupLeavingTime = 3 * 86_400
    /// `NOTICE_SPOOL`: folder in which provider webhooks are stored until they are handled.
    var noticeSpool = Self.usualNoticeSpool
    /// `SEATS_URL`, comma-separated.
    var seatsURLs = [HostConfiguration.noServer]
    /// `WORKFORCE_URL`, comma-separated.
    var workforceURLs = [HostConfiguration.noServer]
    /// `ESTATE_URL`, comma-separated.
    var estateURLs = [HostConfiguration.noServer]
    /// `COMMUNITY_URL`, comma-separated.
    var communityURLs = [HostConfiguration.noServer]
    /// `CHAT_URL`, comma-separated.
    var chatURLs = [HostConfiguration.noServer]
    /// `PAYMENTS_URL`, comma-separated.
    var paymentsURLs = [HostConfiguration.noServer]
    /// `NOTIFICATIONS_URL`, comma-separated.
    var notificationsURLs = [HostConfiguration.noServer]
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// `PUBLIC_URL`: the gateway's URL for clients, used in the picture URLs of MOUP.
    var publicURL = "http://127.0.0.1:8080"
    /// `KAKAO_…`, `APPLE_…`, `GOOGLE_…` and `SMS_…`.
    var providers = ProviderSettings()
    var passwordCost = PasswordHasher.Cost()
    /// `PASSWORD_THREADS`: passwords hashed concurrently.
    var passwordThreads = Self.usualPasswordThreads
    /// `PASSWORD_QUEUE`: sign-ins that may wait for a hash; further ones are rejected with 503.
    var passwordQueue = 200

    static let usualNoticeSpool = "/var/tmp/madang-auth-notices"
    static let developmentKeySecret = "madang-development-key-secret"

    /// `LIMIT_…`: limits per ten minutes; see `RateLimiter.Kind`.
    var limits = Dictionary(uniqueKeysWithValues: RateLimiter.Kind.allCases.map { ($0, $0.setting.usual) })

    /// Half of the cores, so that hashing leaves capacity for other requests.
    static let usualPasswordThreads = max(1, System.coreCount / 2)

    /// The clock of sessions; replaced in tests.
    var now: @Sendable () -> Date = { .now }

    /// Creates a configuration with all defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.auth, port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.auth, &settings, port: 8081)
        self.database = try PostgresConfiguration(&settings, service: "auth")
        self.keySecret = settings.secret(
            "AUTH_KEY_SECRET",
            development: Self.developmentKeySecret,
            "encrypts private signing keys in the database"
        )
        self.keyPeriod = Double(
            settings.int("AUTH_KEY_PERIOD", default: 30 * 86_400, in: 2...31_536_000, "seconds for which a key signs")
        )
        self.keyLead = Double(
            settings.int(
                "AUTH_KEY_LEAD",
                default: 300,
                in: 1...86_400,
                "seconds for which a key is published before it signs"
            )
        )
        self.accessTTL = settings.optionalInt(
            "AUTH_ACCESS_TTL",
            in: 1...86_400,
            "seconds for which an access token is valid; without it each app has its own"
        )
        self.refreshTTL = settings.optionalInt("AUTH_REFRESH_TTL", in: 1...31_536_000, "the same for refresh tokens")
        self.moupLeavingTime = settings.int(
            "MOUP_LEAVING_TIME",
            default: 3 * 86_400,
            in: 0...31_536_000,
            "seconds in which a sign-in restores a MOUP account that is to be deleted"
        )
        self.noticeSpool = settings.string(
            "NOTICE_SPOOL",
            default: Self.usualNoticeSpool,
            "folder in which provider webhooks wait for the database"
        )
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085", "the community service")
        self.chatURLs = settings.urls("CHAT_URL", default: "http://127.0.0.1:8086", "the chat service")
        self.paymentsURLs = settings.urls("PAYMENTS_URL", default: "http://127.0.0.1:8087", "the payments service")
        self.notificationsURLs = settings.urls(
            "NOTIFICATIONS_URL",
            default: "http://127.0.0.1:8088",
            "the notifications service"
        )
        self.files = FilesConfiguration(&settings, service: "auth")
        self.publicURL = settings.outside(
            "PUBLIC_URL",
            sandbox: "http://127.0.0.1:8080",
            "where clients reach the gateway"
        )
        self.seatsURLs = settings.urls("SEATS_URL", default: "http://127.0.0.1:8082", "the seats service")
        self.workforceURLs = settings.urls("WORKFORCE_URL", default: "http://127.0.0.1:8083", "the workforce service")
        self.estateURLs = settings.urls("ESTATE_URL", default: "http://127.0.0.1:8084", "the estate service")
        self.providers = ProviderSettings(&settings)
        self.passwordThreads = settings.int(
            "PASSWORD_THREADS",
            default: Self.usualPasswordThreads,
            in: 1...64,
            "passwords that are hashed at once"
        )
        for kind in RateLimiter.Kind.allCases {
            let (name, usual) = kind.setting
            self.limits[kind] = settings.int(
                name,
                default: usual,
                inProduction: kind.productionLimit,
                in: 0...1_000_000,
                kind.meaning
            )
        }
        self.passwordQueue = settings.int(
            "PASSWORD_QUEUE",
            default: 200,
            in: 1...10_000,
            "sign-ins that may wait for a hash; others are answered 503"
        )
    }

    /// Seconds in which a user may cancel a withdrawal from an app.
    func leavingTime(of app: App) -> Int {
        app == .moup ? moupLeavingTime : 0
    }

    /// Token lifetimes of an app.
    func lifetimes(of app: App) -> TokenLifetimes {
        let day = 86_400
        let usual =
            switch app {
            case .moup: TokenLifetimes(access: 20 * 60, refresh: 7 * day)
            case .anlaka: TokenLifetimes(access: 15 * 60, refresh: 14 * day)
            // Its client never refreshes, and signs out at the first 401 (With Suhyeon contract 4.2), so the access
            // token lives as long as the session. Gateways apply a revocation within a second.
            case .withsuhyeon: TokenLifetimes(access: 14 * day, refresh: 14 * day)
            default: TokenLifetimes(access: 30 * 60, refresh: 14 * day)
            }
        return TokenLifetimes(access: accessTTL ?? usual.access, refresh: refreshTTL ?? usual.refresh)
    }
}
