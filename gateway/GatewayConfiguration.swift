import Authentication
import Contracts
import Logging
import NIOCore
import ServiceKit

/// The gateway's configuration from the environment.
struct GatewayConfiguration: Sendable {
    var environment: DeploymentEnvironment = .development
    /// `HOST`, `PORT`: the public address for clients.
    var host = "127.0.0.1"
    var port = 8080
    /// `TLS_PORT`, `TLS_CERTIFICATE`, `TLS_KEY`: the port where TLS is spoken, at the same address, and the certificate for
    /// it; nil without one.
    var tlsPort = 8443
    var certificate: ServerCertificate.Files?
    /// `HANDOVER_SOCKET`: the path of a Unix socket, at which a successor takes the open sockets over; empty for none.
    var handoverSocket = ""
    /// `SERVICE_SOCKETS`: the folder of the sockets of services on this host; empty for none.
    var serviceSockets = ""
    /// `ADMIN_HOST`, `ADMIN_PORT`: the address of metrics, which must not be public.
    var adminHost = "127.0.0.1"
    var adminPort = 8079
    /// `GATEWAY_THREADS`: event loops; 0 means one per core.
    var threads = 0
    /// `INTERNAL_KEY` and `INTERNAL_PUBLIC_KEYS`: sign internal calls.
    var internalKeys = InternalKeys.development(.gateway)
    var logLevel = Logger.Level.info
    /// `GATEWAY_ACCESS_LOG`: `on` or `off`.
    var accessLog = true
    /// `GATEWAY_GZIP`: `on` or `off`.
    var gzip = true
    /// `AUTH_URL`, `SEATS_URL`, …: base URLs, separated by commas. Calls to a service without one are answered with
    /// 503.
    var upstreams: [ServiceName: [String]] = [:]
    /// `ANLAKA_KEYS`, `CULTURE_KEYS`: the values of `SeSACKey`, separated by commas.
    var appKeys: [String: App] = [:]
    /// `SEATCATCHER_HOSTS`, `MOUP_HOSTS`, …: host names assigned to the app, separated by commas.
    var appHosts: [String: App] = [:]
    /// `CORS_ORIGINS`: allowed web origins, separated by commas.
    var corsOrigins: [String] = []
    /// `GATEWAY_HSTS`: `on` where all clients use TLS, which the gateway or a proxy in front of it ends.
    var strictTransport = false
    /// `TRUSTED_PROXIES`, `PROXY_ADDRESS`: the proxies in front of the gateway, and where they write the client's address.
    var proxies = TrustedProxies()
    /// `ACCESS_TOKEN_LEEWAY`: how long after its expiry a token is still accepted, in seconds.
    var tokenLeeway: Int64 = 30
    /// `GATEWAY_TOKEN_CACHE`: verified tokens kept per event loop.
    var tokenCacheLimit = 20_000
    /// How often the set of running services is checked for their API documents.
    var documentInterval = Duration.seconds(1)
    /// `SHUTDOWN_DELAY`: seconds from SIGTERM to the end of the listeners; SIGINT ends it at once.
    var shutdown = ShutdownNotice(lasting: .zero)
    /// `DRAIN_TIME`: seconds for requests in flight after the end of the listeners.
    var drainTime = Duration.seconds(30)
    var connections = ConnectionLimits()
    /// `GATEWAY_REFRESH_WAIT`, `GATEWAY_REFRESH_WAITERS`: the maximum time in seconds that a request waits for new
    /// tokens, and the maximum number of waiting requests per session; `HEDGE_AFTER`; also the sizes and times of `Limits`.
    var limits = Limits()
    /// `OTEL_…`: where spans are exported; nil for nowhere.
    var collector: CollectorSettings?
    /// `CONSOLE_URL`, `TRACES_KEPT`: the console, which keeps traces and whose pages the admin port serves; nil without one.
    var console: ConsoleSettings?
    /// nil if spans are neither exported nor kept.
    var recorder: SpanRecorder?
    /// `RATE_ADDRESS`, `RATE_SIGN_IN`, `RATE_ACCOUNT`: calls per second and address, sign-ins per minute and address,
    /// calls per second and account; 0 means no limit.
    var rates = Rates()

    struct Rates: Sendable {
        var address = RateLimit(perSecond: 1000, burst: 2000)
        var signIn = RateLimit(perSecond: 5, burst: 300)
        var account = RateLimit(perSecond: 100, burst: 400)

        /// The limits of one address, indexed by `Operation.Rate`.
        var ofAddress: [RateLimit] { [address, signIn] }
    }

    /// The apps that call with a key but have none configured. The gateway refuses all of their calls.
    var appsWithoutKey: [App] {
        App.allCases.filter { app in app.hasKey && !appKeys.values.contains(app) }
    }

    /// The setting that holds an app's keys.
    static func keySetting(of app: App) -> String {
        "\(app.rawValue.uppercased())_KEYS"
    }

    /// Creates a configuration with every default, for tests.
    init() {}
}

extension GatewayConfiguration {
    init(_ settings: inout Settings) {
        environment = settings.environment
        collector = CollectorSettings("gateway", &settings)
        host = settings.string("HOST", default: host, "address to listen on")
        port = settings.int("PORT", default: port, in: 0...65_535, "port to listen on; 0 lets the system choose")
        tlsPort = settings.int("TLS_PORT", default: tlsPort, in: 0...65_535, "port for TLS, if there is a certificate")
        let path = settings.string("TLS_CERTIFICATE", default: "", "path of the certificate and its chain (PEM)")
        let key = settings.string("TLS_KEY", default: "", "path of the certificate's private key (PEM)")
        if !path.isEmpty { certificate = ServerCertificate.Files(certificate: path, key: key) }
        adminHost = settings.string("ADMIN_HOST", default: adminHost, "address of the port for operators")
        adminPort = settings.int(
            "ADMIN_PORT",
            default: adminPort,
            in: 0...65_535,
            "port of /console, /metrics, /healthz and /readyz"
        )
        handoverSocket = settings.string(
            "HANDOVER_SOCKET",
            default: handoverSocket,
            "path of a Unix socket, at which the next gateway takes all open connections over"
        )
        serviceSockets = settings.serviceSockets()
        threads = settings.int("GATEWAY_THREADS", default: threads, in: 0...256, "event loops; 0 for one per core")
        internalKeys = settings.internalKeys(of: .gateway)
        console = ConsoleSettings(keys: internalKeys, &settings)
        if collector?.url != nil || console != nil { recorder = .shared }
        logLevel = settings.logLevel()
        accessLog = settings.flag("GATEWAY_ACCESS_LOG", default: accessLog, "whether each request is logged")
        gzip = settings.flag(
            "GATEWAY_GZIP",
            default: gzip,
            "whether responses are compressed for clients that take gzip"
        )
        strictTransport = settings.flag(
            "GATEWAY_HSTS",
            default: strictTransport,
            "on where all clients use TLS"
        )
        proxies = settings.value(
            "TRUSTED_PROXIES",
            default: proxies,
            "addresses and networks such as 10.0.0.0/8 or ::1, joined by commas",
            "the proxies in front of the gateway, whose word for a client's address counts",
            shown: ""
        ) { TrustedProxies(networks: $0.split(separator: ",").map { $0.filter { $0 != " " } }) }
        proxies.source = settings.value(
            "PROXY_ADDRESS",
            default: proxies.source,
            TrustedProxies.Source.allCases.map(\.rawValue).joined(separator: ", "),
            "where these write it: a header field, or the PROXY protocol before the first request",
            shown: proxies.source.rawValue,
            TrustedProxies.Source.init(rawValue:)
        )
        readApps(&settings)
        readLimits(&settings)
    }

    private mutating func readApps(_ settings: inout Settings) {
        let development = environment == .development
        for (offset, service) in ServiceName.ofApps.enumerated() {
            let urls = settings.urls(
                "\(service.rawValue.uppercased())_URL",
                default: development ? "http://127.0.0.1:\(8081 + offset)" : "",
                "the \(service.rawValue) service; without it its calls are answered 503"
            )
            if !urls.isEmpty { upstreams[service] = urls }
        }
        for app in App.allCases where app.hasKey {
            let keys = settings.list(
                Self.keySetting(of: app),
                development: ["\(app.rawValue)-dev-key"],
                "values of SeSACKey"
            )
            for key in keys { appKeys[key] = app }
        }
        for app in App.allCases {
            for host in settings.list("\(app.rawValue.uppercased())_HOSTS", default: [], "host names of the app") {
                appHosts[host.lowercased()] = app
            }
        }
        corsOrigins = settings.list("CORS_ORIGINS", default: [], "origins of web pages that may call")
    }

    private mutating func readLimits(_ settings: inout Settings) {
        tokenLeeway = Int64(
            settings.int(
                "ACCESS_TOKEN_LEEWAY",
                default: 30,
                in: 0...300,
                "seconds after its expiry in which an access token is accepted"
            )
        )
        tokenCacheLimit = settings.int(
            "GATEWAY_TOKEN_CACHE",
            default: tokenCacheLimit,
            in: 1...10_000_000,
            "verified tokens that are kept per event loop"
        )
        shutdown = ShutdownNotice(
            lasting: settings.seconds(
                "SHUTDOWN_DELAY",
                default: 0,
                orZero: true,
                "seconds after SIGTERM in which /readyz answers 503 and all else is served, so that balancers go on to "
                    + "another gateway"
            )
        )
        drainTime = settings.seconds("DRAIN_TIME", default: 30, "seconds for requests in flight after that")
        connections.total = settings.int(
            "MAX_CONNECTIONS",
            default: connections.total,
            in: 1...1_000_000,
            "open connections"
        )
        connections.perAddress = settings.int(
            "MAX_CONNECTIONS_PER_ADDRESS",
            default: 2_000,
            in: 1...1_000_000,
            "open connections of one client address"
        )
        rates.address = settings.allowance(
            "RATE_ADDRESS",
            per: 1,
            default: rates.address,
            "requests per second of one address; 0 for no limit"
        )
        rates.signIn = settings.allowance(
            "RATE_SIGN_IN",
            per: 60,
            default: rates.signIn,
            "sign-ins per minute of one address; 0 for no limit"
        )
        rates.account = settings.allowance(
            "RATE_ACCOUNT",
            per: 1,
            default: rates.account,
            "requests per second of one account; 0 for no limit"
        )
        limits.documentSize = settings.int(
            "BODY_LIMIT",
            default: limits.documentSize,
            in: 1024...1_073_741_824,
            "largest JSON body, in bytes"
        )
        limits.uploadSize = settings.int(
            "UPLOAD_LIMIT",
            default: limits.uploadSize,
            in: 1024...1_073_741_824,
            "largest form with files, in bytes"
        )
        limits.headSize = settings.int(
            "HEADER_LIMIT",
            default: limits.headSize,
            in: 1024...1_048_576,
            "largest request head, in bytes"
        )
        limits.headTime = settings.time(
            "HEADER_TIMEOUT",
            default: limits.headTime,
            "seconds in which a request head has to arrive"
        )
        limits.idleTime = settings.time(
            "IDLE_TIMEOUT",
            default: limits.idleTime,
            "seconds after which an idle connection is closed"
        )
        limits.bodyTime = settings.time(
            "BODY_TIMEOUT",
            default: limits.bodyTime,
            "seconds in which a body has to go on"
        )
        limits.answerTime = settings.time(
            "UPSTREAM_TIMEOUT",
            default: limits.answerTime,
            "seconds in which a service has to answer"
        )
        let hedgeTime = settings.time(
            "HEDGE_AFTER",
            default: .zero,
            orZero: true,
            "seconds without a response after which a read is also sent to another copy; 0 for never"
        )
        limits.hedgeTime = hedgeTime > .zero ? hedgeTime : nil
        limits.refreshTime = settings.time(
            "GATEWAY_REFRESH_WAIT",
            default: limits.refreshTime,
            "seconds for which a request waits for new tokens"
        )
        limits.refreshWaiters = settings.int(
            "GATEWAY_REFRESH_WAITERS",
            default: limits.refreshWaiters,
            in: 1...100_000,
            "requests of one session that wait for new tokens"
        )
        limits.tunnelTime = settings.time(
            "WEBSOCKET_IDLE_TIMEOUT",
            default: limits.tunnelTime,
            "seconds after which a silent WebSocket is closed"
        )
    }
}

extension Settings {
    /// Calls per `period` seconds, all of which may come at once; 0 means no limit.
    fileprivate mutating func allowance(
        _ name: String,
        per period: Double,
        default standard: RateLimit,
        _ meaning: String
    ) -> RateLimit {
        let calls = SettingDeclaration.text(standard.perSecond * period)
        return value(name, default: standard, "a number of calls, or 0 for no limit", meaning, shown: calls) { text in
            guard let calls = Double(text), calls >= 0, calls.isFinite else { return nil }
            return RateLimit(perSecond: calls / period, burst: period > 1 ? calls : calls * 2)
        }
    }

    fileprivate mutating func time(
        _ name: String,
        default standard: TimeAmount,
        orZero: Bool = false,
        _ meaning: String
    ) -> TimeAmount {
        let duration = seconds(name, default: Double(standard.nanoseconds) / 1_000_000_000, orZero: orZero, meaning)
        return .nanoseconds(duration.nanoseconds)
    }

    fileprivate mutating func flag(_ name: String, default standard: Bool, _ meaning: String) -> Bool {
        value(name, default: standard, "on or off", meaning, shown: standard ? "on" : "off") {
            ["on": true, "off": false][$0]
        }
    }

    fileprivate mutating func list(_ name: String, default standard: [String], _ meaning: String) -> [String] {
        value(name, default: standard, "a list joined by commas", meaning) { text in
            let items = text.split(separator: ",").map { $0.filter { $0 != " " } }
            return items.isEmpty ? nil : items
        }
    }
}
