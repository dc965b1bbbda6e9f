import Contracts
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the console.
struct ConsoleConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, `SEATS_URL`, …, each comma-separated.
    var serviceURLs: [ServiceName: [String]] = [:]
    /// `SANDBOX_URL`; nil in production, where the providers are the real ones.
    var sandboxURL: String?
    /// `GATEWAY_URL`: the gateway's address for phones; nil in production, where there are no people to try calls as.
    var gatewayURL: String?
    /// `TRACES_SPACE`: the most that traces take in the database, in bytes.
    var space = 2048 << 20
    /// How long a page that follows stays as it is.
    var updatePause = Duration.seconds(5)

    /// Spans come many at a time.
    private static let bodyLimit = 16 << 20

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        host = HostConfiguration(.console, port: 0)
        host.bodyLimit = Self.bodyLimit
        self.database = database
    }

    init(_ settings: inout Settings) throws {
        host = HostConfiguration(.console, &settings, port: 8089)
        host.bodyLimit = max(host.bodyLimit, Self.bodyLimit)
        // Spans of reports of spans would be reported in turn.
        host.collector = nil
        database = try PostgresConfiguration(&settings, service: "console")
        let isDevelopment = host.environment == .development
        for (offset, service) in ServiceName.ofApps.enumerated() {
            let urls = settings.urls(
                "\(service.rawValue.uppercased())_URL",
                default: isDevelopment ? "http://127.0.0.1:\(8081 + offset)" : "",
                "the \(service.rawValue) service; without it, nothing of it is shown"
            )
            if !urls.isEmpty { serviceURLs[service] = urls }
        }
        let sandbox = settings.urls(
            "SANDBOX_URL",
            default: isDevelopment ? "http://127.0.0.1:8090" : "",
            "the stand-in for providers, in development only; without it, nothing of it is shown"
        ).first
        let gateway = settings.urls(
            "GATEWAY_URL",
            default: isDevelopment ? "http://127.0.0.1:8080" : "",
            "the gateway as phones reach it, in development only; without it, no calls can be tried"
        ).first
        if isDevelopment { (sandboxURL, gatewayURL) = (sandbox, gateway) }
        space =
            settings.int(
                "TRACES_SPACE",
                default: 2048,
                in: 16...1_048_576,
                "the most that traces take in the database, in MiB"
            ) << 20
    }
}
