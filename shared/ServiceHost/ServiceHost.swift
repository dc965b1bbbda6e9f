package import Hummingbird
import HummingbirdCore
package import Logging
package import ServiceLifecycle
import UnixSignals
import WebSocket

/// The way every service starts: settings, telemetry, health, identity and refusals around the routes that are its own.
///
/// A service's `@main` calls `run`; its build function calls `application`, and so do its tests.
package enum ServiceHost {
    /// Something that must work for the process to serve: the database, a key that must be loaded.
    package struct Check: Sendable {
        package var name: String
        package var check: @Sendable () async throws -> Void

        package init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
            self.name = name
            self.check = check
        }
    }

    /// Builds the application of a service.
    ///
    /// - Parameters:
    ///   - name: the service's name in logs.
    ///   - apiDocument: the service's `openapi.yaml`.
    ///   - services: what runs beside the server, in starting order.
    ///   - checks: what `/readyz` asks.
    ///   - sockets: the addresses that are WebSockets.
    ///   - prepare: done before the first request is taken, with `services` running: migrations, loading of data.
    ///   - routes: adds the routes: those of an app below `app(_:)`, those for other processes below `internal`.
    package static func application(
        _ name: String,
        configuration: HostConfiguration,
        apiDocument: [UInt8],
        services: [any Service],
        checks: [Check],
        sockets: [SocketRoute] = [],
        logger: Logger,
        prepare: @escaping @Sendable () async throws -> Void,
        routes: (RouterGroup<AppRequestContext>) throws -> Void
    ) throws -> some ApplicationProtocol {
        let router = Router(context: AppRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: TelemetryMiddleware())
        router.add(middleware: ProblemMiddleware())
        HealthRoutes(checks: checks).add(to: router)
        router.add(middleware: IdentityMiddleware())
        let guarded = router.group("")
        APIDocumentRoutes(yaml: apiDocument).add(to: guarded)
        try routes(guarded)

        var application = Application(
            responder: FrontDoor(
                base: router.buildResponder(),
                secret: configuration.internalSecret,
                deadline: configuration.requestDeadline,
                uploadDeadline: configuration.uploadDeadline,
                bodyLimit: configuration.bodyLimit
            ),
            server: server(sockets, configuration),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: nil,
                // A gateway comes with thousands of connections when thousands of phones have waited for the same.
                backlog: 4096
            ),
            services: services.map { NamedService($0) },
            onServerRunning: { channel in
                logger.notice("listening", metadata: ["address": "\(channel.localAddress?.description ?? "-")"])
            },
            logger: logger
        )
        application.beforeServerStarts(perform: prepare)
        return application
    }

    private static func server(_ sockets: [SocketRoute], _ configuration: HostConfiguration) -> HTTPServerBuilder {
        guard !sockets.isEmpty else { return .http1() }
        return .http1WithWebSockets(decide: SocketDoor(routes: sockets, secret: configuration.internalSecret).decide)
    }

    /// Runs a process until it is told to stop: reads its settings, starts telemetry, builds it, and drains on SIGTERM.
    ///
    /// What goes wrong before it serves is one sentence on standard error and exit code 1.
    package static func run<Configuration>(
        _ name: String,
        read: (inout Settings) throws -> Configuration,
        logLevel: (Configuration) -> Logger.Level,
        build: (Configuration, Logger) async throws -> any ServiceLifecycle.Service
    ) async {
        do {
            let configuration = try Settings.read(read)
            Telemetry.bootstrap(service: name, level: logLevel(configuration))
            OpenFiles.raiseLimit()
            let logger = Logger(label: name)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [.init(service: NamedService(try await build(configuration, logger)))],
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: logger
                )
            )
            try await group.run()
        } catch {
            StandardError.write("\(name): \(error)")
            exitProcess(1)
        }
    }
}
