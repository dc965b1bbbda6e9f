import Authentication
import Contracts
import Logging
import NIOCore
import ServiceHost

/// What the gateway is told by its environment.
struct GatewayConfiguration: Sendable {
    var environment: DeploymentEnvironment = .development
    /// `HOST`, `PORT`: where phones come in.
    var host = "127.0.0.1"
    var port = 8080
    /// `ADMIN_HOST`, `ADMIN_PORT`: where metrics are read; not for the world.
    var adminHost = "127.0.0.1"
    var adminPort = 8079
    /// `GATEWAY_THREADS`: event loops; 0 is one per core.
    var threads = 0
    var internalSecret = InternalSecret.development
    var logLevel = Logger.Level.info
    /// `GATEWAY_ACCESS_LOG`: `on` or `off`.
    var accessLog = true
    /// `AUTH_URL`, `SEATS_URL`, …: base URLs, several joined by commas. A service without one answers 503.
    var upstreams: [ServiceName: [String]] = [:]
    /// `ANLAKA_KEYS`, `CULTURE_KEYS`: the values of `SeSACKey`, several joined by commas.
    var appKeys: [String: App] = [:]
    /// `SEATCATCHER_HOSTS`, `MOUP_HOSTS`, …: host names that decide the app, several joined by commas.
    var appHosts: [String: App] = [:]
    /// `CORS_ORIGINS`: origins of web pages that may call, several joined by commas.
    var corsOrigins: [String] = []
    /// `GATEWAY_HSTS`: `on` where TLS is terminated in front of the gateway.
    var strictTransport = false
    /// `ACCESS_TOKEN_LEEWAY`: seconds after its expiry during which a token still counts.
    var tokenLeeway: Int64 = 30
    /// `GATEWAY_TOKEN_CACHE`: verified tokens kept per event loop.
    var tokenCacheLimit = 20_000
    /// How often it is looked whether other services run than before, whose API documents are gathered then.
    var documentInterval = Duration.seconds(1)
    /// `DRAIN_TIME`: seconds for requests in flight after SIGTERM.
    var drainTime = Duration.seconds(30)
    var connections = ConnectionLimits()
    /// `GATEWAY_REFRESH_WAIT`, `GATEWAY_REFRESH_WAITERS`: how many seconds a request waits for new tokens at most, and how
    /// many requests of a session do; and the sizes and times of `Limits`.
    var limits = Limits()
    /// `RATE_ADDRESS`, `RATE_SIGN_IN`, `RATE_ACCOUNT`: calls per second and address, sign-ins per minute and address,
    /// calls per second and account; 0 for no limit.
    var rates = Rates()

    struct Rates: Sendable {
        var address = Allowance(perSecond: 1000, burst: 2000)
        var signIn = Allowance(perSecond: 5, burst: 300)
        var account = Allowance(perSecond: 100, burst: 400)

        /// For one address, by `Route.Rate`.
        var ofAddress: [Allowance] { [address, signIn] }
    }

    /// Apps that call with a key, and for which none is set: the gateway refuses all of their calls.
    var appsWithoutKey: [App] {
        App.allCases.filter { app in app.hasKey && !appKeys.values.contains(app) }
    }

    /// The setting that holds an app's keys.
    static func keySetting(of app: App) -> String {
        "\(app.rawValue.uppercased())_KEYS"
    }

    /// Every default, for tests.
    init() {}
}

extension GatewayConfiguration {
    init(_ settings: inout Settings) {
        environment = settings.environment
        host = settings.string("HOST", default: host)
        port = settings.int("PORT", default: port, in: 0...65_535)
        adminHost = settings.string("ADMIN_HOST", default: adminHost)
        adminPort = settings.int("ADMIN_PORT", default: adminPort, in: 0...65_535)
        threads = settings.int("GATEWAY_THREADS", default: threads, in: 0...256)
        internalSecret = InternalSecret(
            settings.secret("MADANG_INTERNAL_SECRET", development: "madang-development-internal-secret")
        )
        logLevel = settings.logLevel()
        accessLog = settings.flag("GATEWAY_ACCESS_LOG", default: accessLog)
        strictTransport = settings.flag("GATEWAY_HSTS", default: strictTransport)
        readApps(&settings)
        readLimits(&settings)
    }

    private mutating func readApps(_ settings: inout Settings) {
        let development = environment == .development
        for (offset, service) in ServiceName.allCases.enumerated() {
            let urls = settings.urls(
                "\(service.rawValue.uppercased())_URL",
                default: development ? "http://127.0.0.1:\(8081 + offset)" : ""
            )
            if !urls.isEmpty { upstreams[service] = urls }
        }
        for app in App.allCases where app.hasKey {
            let keys = settings.list(Self.keySetting(of: app), development: ["\(app.rawValue)-dev-key"])
            for key in keys { appKeys[key] = app }
        }
        for app in App.allCases {
            for host in settings.list("\(app.rawValue.uppercased())_HOSTS", default: []) {
                appHosts[host.lowercased()] = app
            }
        }
        corsOrigins = settings.list("CORS_ORIGINS", default: [])
    }

    private mutating func readLimits(_ settings: inout Settings) {
        tokenLeeway = Int64(settings.int("ACCESS_TOKEN_LEEWAY", default: 30, in: 0...300))
        tokenCacheLimit = settings.int("GATEWAY_TOKEN_CACHE", default: tokenCacheLimit, in: 1...10_000_000)
        drainTime = settings.seconds("DRAIN_TIME", default: 30)
        connections.total = settings.int("MAX_CONNECTIONS", default: connections.total, in: 1...1_000_000)
        connections.perAddress = settings.int("MAX_CONNECTIONS_PER_ADDRESS", default: 2_000, in: 1...1_000_000)
        rates.address = settings.allowance("RATE_ADDRESS", per: 1, default: rates.address)
        rates.signIn = settings.allowance("RATE_SIGN_IN", per: 60, default: rates.signIn)
        rates.account = settings.allowance("RATE_ACCOUNT", per: 1, default: rates.account)
        limits.documentSize = settings.int("BODY_LIMIT", default: limits.documentSize, in: 1024...1_073_741_824)
        limits.uploadSize = settings.int("UPLOAD_LIMIT", default: limits.uploadSize, in: 1024...1_073_741_824)
        limits.headSize = settings.int("HEADER_LIMIT", default: limits.headSize, in: 1024...1_048_576)
        limits.headTime = settings.time("HEADER_TIMEOUT", default: limits.headTime)
        limits.idleTime = settings.time("IDLE_TIMEOUT", default: limits.idleTime)
        limits.bodyTime = settings.time("BODY_TIMEOUT", default: limits.bodyTime)
        limits.answerTime = settings.time("UPSTREAM_TIMEOUT", default: limits.answerTime)
        limits.refreshTime = settings.time("GATEWAY_REFRESH_WAIT", default: limits.refreshTime)
        limits.refreshWaiters = settings.int("GATEWAY_REFRESH_WAITERS", default: limits.refreshWaiters, in: 1...100_000)
        limits.tunnelTime = settings.time("WEBSOCKET_IDLE_TIMEOUT", default: limits.tunnelTime)
    }
}

extension Settings {
    /// Calls per `period` seconds, all of which may come at once; 0 for no limit.
    fileprivate mutating func allowance(_ name: String, per period: Double, default standard: Allowance) -> Allowance {
        value(name, default: standard, "a number of calls, or 0 for no limit") { text in
            guard let calls = Double(text), calls >= 0, calls.isFinite else { return nil }
            return Allowance(perSecond: calls / period, burst: period > 1 ? calls : calls * 2)
        }
    }

    fileprivate mutating func time(_ name: String, default standard: TimeAmount) -> TimeAmount {
        let duration = seconds(name, default: Double(standard.nanoseconds) / 1_000_000_000)
        return .nanoseconds(duration.nanoseconds)
    }

    fileprivate mutating func flag(_ name: String, default standard: Bool) -> Bool {
        value(name, default: standard, "on or off") { ["on": true, "off": false][$0] }
    }

    fileprivate mutating func list(_ name: String, default standard: [String]) -> [String] {
        value(name, default: standard, "a list joined by commas") { text in
            let items = text.split(separator: ",").map { $0.filter { $0 != " " } }
            return items.isEmpty ? nil : items
        }
    }
}
