import AsyncHTTPClient
import Authentication
import Contracts
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle

extension GatewayService {
    /// Callbacks with the addresses that a gateway listens on.
    struct Listening: Sendable {
        var onPublic: @Sendable (SocketAddress) -> Void = { _ in }
        var onTLS: @Sendable (SocketAddress) -> Void = { _ in }
        var onAdmin: @Sendable (SocketAddress) -> Void = { _ in }
    }

    /// Builds a gateway.
    ///
    /// - Parameter keys: The source of the auth service's keys; nil fetches them from the service itself.
    /// - Throws: `UnusableUpstream` for an invalid base URL, `CertificateFault` for a certificate that cannot be used.
    static func build(
        _ configuration: GatewayConfiguration,
        logger: Logger,
        keys: PublishedKeys? = nil,
        listening: Listening = Listening()
    ) async throws -> Gateway {
        for app in configuration.appsWithoutKey {
            logger.warning(
                "app keys: an app has no key, its calls will be refused",
                metadata: ["app": "\(app.rawValue)", "setting": "\(GatewayConfiguration.keySetting(of: app))"]
            )
        }
        if configuration.environment == .production, configuration.proxies.isEmpty, configuration.certificate == nil {
            logger.warning(
                "gateway: there is no TLS, and no proxy is trusted: clients behind one would share its address and limits",
                metadata: ["settings": "TLS_CERTIFICATE, TRUSTED_PROXIES"]
            )
        }
        let certificates = try configuration.certificate.map { try ServerCertificates($0, logger: logger) }
        let upstreams = try configuration.upstreams.mapValues { try $0.map(UnusableUpstream.checked) }
        let threads = configuration.threads > 0 ? configuration.threads : System.coreCount
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let http = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: InternalClient.connections)
        let clients = Dictionary(
            uniqueKeysWithValues: ServiceName.ofApps.compactMap { service in
                client(of: service, configuration, http).map { (service, $0) }
            }
        )
        let auth = AuthClients { client(of: .auth, configuration, http) }
        let revocations = Revocations(leeway: configuration.tokenLeeway)
        let keys =
            keys
            ?? PublishedKeys(logger: logger) {
                // No token is accepted before its key is known: sessions that ended before this process began come first.
                try await revocations.load { try await auth.revocations(after: $0, wait: 0) }
                return try await auth.keys()
            }
        let core = GatewayCore(
            configuration,
            keys: keys,
            revocations: revocations,
            refreshes: RefreshCoordinator(
                waiters: configuration.limits.refreshWaiters,
                reuse: configuration.limits.refreshReuse,
                call: { request in
                    let answer = try await auth.refresh(request)
                    if let ended = answer.ended { revocations.add([ended]) }
                    return answer
                }
            ),
            logWriter: configuration.accessLog ? AccessLogWriter() : nil,
            logger: logger
        )
        let tryIt = TryIt(configuration)
        let pages = LocalPages(
            keys: keys,
            documentation: Documentation([:], tryIt: tryIt),
            shutdown: configuration.shutdown
        )
        let loops = try await EventLoopContexts(group, core: core, pages: pages)
        revocations.observe { sessions in loops.forEach { $0.end(sessions) } }
        let directory = UpstreamDirectory(
            upstreams,
            sockets: configuration.serviceSockets,
            loops: loops,
            group: group,
            logger: logger
        )
        let path = configuration.handoverSocket
        let predecessor =
            path.isEmpty ? nil : try await HandoverClient.connect(to: path, group, logger: logger)
        let listeners = Listeners()
        let server = GatewayServer(
            group: group,
            loops: loops,
            core: core,
            logger: logger,
            ports: ports(configuration, certificates, listening),
            listeners: listeners,
            predecessor: predecessor,
            directory: directory
        )
        let admin = AdminServer(
            configuration,
            metrics: GatewayMetrics(loops: loops, directory: directory, core: core),
            pages: pages,
            console: configuration.console.map { ConsoleProxy($0) },
            group: group,
            logger: logger,
            hasPredecessor: predecessor != nil,
            onListening: listening.onAdmin
        )
        let handover = HandoverServer(
            path: path,
            listeners: listeners,
            loops: loops,
            core: core,
            client: predecessor,
            logger: logger
        )
        var services: [any Service] = [
            keys, directory, admin,
            RevocationFollower(
                revocations: core.revocations,
                logger: logger,
                ask: auth.revocations
            ),
            TokenUsageReporter.Reporter(uses: core.firstUses, logger: logger, send: auth.tell), core.refreshes,
            APIDocumentService(
                clients: clients,
                directory: directory,
                pages: pages,
                tryIt: tryIt,
                interval: configuration.documentInterval
            ), server, EventLoopLag(of: group),
        ]
        if let certificates { services.append(certificates) }
        if !path.isEmpty { services.append(handover) }
        return Gateway(
            core: core,
            loops: loops,
            directory: directory,
            services: services,
            shutdown: configuration.shutdown,
            http: http,
            group: group,
            logger: logger
        )
    }

    private static func ports(
        _ configuration: GatewayConfiguration,
        _ certificates: ServerCertificates?,
        _ listening: Listening
    ) -> [GatewayServer.Port] {
        let plain = GatewayServer.Port(
            number: configuration.port,
            setting: "PORT",
            pipeline: ClientPipeline(),
            onListening: listening.onPublic
        )
        guard let certificates else { return [plain] }
        let secure = GatewayServer.Port(
            number: configuration.tlsPort,
            setting: "TLS_PORT",
            pipeline: ClientPipeline(certificates: certificates),
            onListening: listening.onTLS
        )
        return [plain, secure]
    }

    private static func client(
        of service: ServiceName,
        _ configuration: GatewayConfiguration,
        _ http: HTTPClient
    ) -> InternalClient? {
        configuration.upstreams[service].map { urls in
            InternalClient(to: service, at: urls, keys: configuration.internalKeys, http: http)
        }
    }
}

/// A service's base URL that the gateway cannot use.
struct UnusableUpstream: Error, CustomStringConvertible {
    var url: String

    var description: String { "cannot start: \(url) is not http://host:port" }

    static func checked(_ url: String) throws -> UpstreamAddress {
        guard let address = UpstreamAddress(url: url) else { throw UnusableUpstream(url: url) }
        return address
    }
}
