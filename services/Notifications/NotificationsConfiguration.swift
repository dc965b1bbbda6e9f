import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the notifications service.
struct NotificationsConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated. For profiles not received yet, and blocked phone numbers.
    var authURLs = [HostConfiguration.noServer]
    /// `FCM_URL`.
    var fcmURL = HostConfiguration.noServer
    /// `FCM_CREDENTIALS`.
    var fcmCredentials = FCMCredentials(pattern: "\(HostConfiguration.noServer)/*")
    /// `FCM_TIMEOUT`: timeout of requests to FCM.
    var fcmTimeout = Duration.seconds(10)
    /// `FCM_CONCURRENCY` and `FCM_BACKLOG_RATE`, and the timeouts of leases.
    var pace = PushPace()
    /// The clock; tests replace it.
    var now: @Sendable () -> Date = { .now }

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.notifications, port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.notifications, &settings, port: 8088)
        self.database = try PostgresConfiguration(&settings, service: "notifications")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.fcmURL = settings.outside("FCM_URL", sandbox: "http://127.0.0.1:8090/fcm", "FCM HTTP v1")
        let isProduction = settings.environment == .production
        let place = settings.credential(
            "FCM_CREDENTIALS",
            development: FCMCredentials.sandbox.pattern,
            "path of the service account files, with * for the app"
        )
        self.fcmCredentials = settings.value(
            "FCM_CREDENTIALS",
            default: FCMCredentials(pattern: place),
            "the path of a file with * for the app, as /run/firebase/firebase-*.json",
            "path of the service account files, with * for the app"
        ) { pattern in
            let credentials = FCMCredentials(pattern: pattern)
            return pattern.contains("*") && !(isProduction && credentials.isAddress) ? credentials : nil
        }
        self.fcmTimeout = settings.seconds("FCM_TIMEOUT", default: 10, "seconds in which FCM has to answer")
        self.pace.concurrency = settings.int(
            "FCM_CONCURRENCY",
            default: pace.concurrency,
            in: 1...4096,
            "pushes that are sent at once"
        )
        self.pace.lateRate = Double(
            settings.int(
                "FCM_BACKLOG_RATE",
                default: Int(pace.lateRate),
                in: 1...100_000,
                "pushes per second that are sent of what is more than 30 seconds late"
            )
        )
        // An attempt can make six requests: for the account, the token and the message, and again with a new token.
        self.pace.longestTry = 6 * (fcmTimeout / .seconds(1))
        self.pace.longestWait = fcmTimeout / .seconds(1)
    }
}
