import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the notifications service.
struct NotificationsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet, and who has blocked whom.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `FCM_URL`.
    var fcmURL = "http://127.0.0.1:8090/fcm"
    /// `FCM_CREDENTIALS`.
    var fcmCredentials = FCMCredentials.sandbox
    /// `FCM_PATIENCE`: how long an answer of FCM may take.
    var fcmPatience = Duration.seconds(10)
    /// `FCM_CONCURRENCY` and `FCM_BACKLOG_RATE`, and how long somebody who died keeps others off what they had taken.
    var pace = PushPace()
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8088)
        self.database = try PostgresConfiguration(
            url: settings.credential(
                "DATABASE_URL",
                development: "postgres://notifications:notifications@127.0.0.1:5432/madang"
            ),
            schema: "notifications",
            applicationName: "notifications"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.fcmURL = settings.outside("FCM_URL", sandbox: fcmURL)
        let isProduction = settings.environment == .production
        let place = settings.credential("FCM_CREDENTIALS", development: fcmCredentials.pattern)
        self.fcmCredentials = settings.value(
            "FCM_CREDENTIALS",
            default: FCMCredentials(pattern: place),
            "the path of a file with * for the app, as /run/firebase/firebase-*.json"
        ) { pattern in
            let credentials = FCMCredentials(pattern: pattern)
            return pattern.contains("*") && !(isProduction && credentials.isAddress) ? credentials : nil
        }
        self.fcmPatience = settings.seconds("FCM_PATIENCE", default: 10)
        self.pace.concurrency = settings.int("FCM_CONCURRENCY", default: pace.concurrency, in: 1...4096)
        self.pace.lateRate = Double(
            settings.int("FCM_BACKLOG_RATE", default: Int(pace.lateRate), in: 1...100_000)
        )
        // A try may ask Google and FCM six times: for the account, the token, the message, and again with another token.
        self.pace.longestTry = 6 * (fcmPatience / .seconds(1))
        self.pace.longestWait = fcmPatience / .seconds(1)
    }
}
