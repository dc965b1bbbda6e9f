package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import ServiceLifecycle
import Sockets
import UnixSignals

/// The common startup of every service: settings, telemetry, health checks, authentication and error responses around
/// the service's own routes.
///
/// A service's `@main` calls `run`; its build function calls `application`, and so do its tests.
package enum ServiceHost {
    /// A condition for readiness, such as a reachable database or a loaded key.
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
    ///   - name: The service's name in logs.
    ///   - apiDocument: The service's API document, as JSON.
    ///   - services: The services that run beside the server, in start order.
    ///   - checks: The readiness checks of `/readyz`.
    ///   - sockets: The WebSocket routes.
    ///   - prepare: Runs before the first request is accepted, with `services` running: migrations, loading of data.
    ///   - routes: Adds the routes: those of the apps and those for other programs.
    package static func application(
        _ name: String,
        configuration: HostConfiguration,
        apiDocument: [UInt8],
        services: [any Service],
        checks: [Check],
        sockets: [SocketRoute] = [],
        logger: Logger,
        prepare: @escaping @Sendable () async throws -> Void,
        routes: (ServiceRouter) throws -> Void
    ) throws -> some ApplicationProtocol {
        let router = Router(context: AppRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: TelemetryMiddleware())
        router.add(middleware: ProblemMiddleware())
        HealthRoutes(checks: checks, shutdown: configuration.shutdown).add(to: router)
        router.add(middleware: IdentityMiddleware())
        let guarded = ServiceRouter(router.group(""))
        APIDocumentRoutes(json: apiDocument).add(to: guarded)
        try routes(guarded)

        let connections = OpenConnections()
        let (listening, listens) = AsyncStream.makeStream(of: Void.self)
        let parts = Parts(
            responder: RequestDispatcher(
                base: router.buildResponder(),
                keys: configuration.internalKeys,
                deadline: configuration.requestDeadline,
                uploadDeadline: configuration.uploadDeadline,
                bodyLimit: configuration.bodyLimit
            ),
            server: server(sockets, connections, configuration),
            logger: logger
        )
        var services: [any Service] =
            services + [
                SocketDrain(connections: connections), EventLoopLag(of: MultiThreadedEventLoopGroup.singleton),
            ]
        if let path = ServiceSocket.path(of: name, port: configuration.port, in: configuration.serviceSockets) {
            let local = parts.application(at: .unixDomainSocket(path: path))
            services.append(SecondServer(server: local, isListening: listening, logger: logger))
        }
        var application = parts.application(
            at: .hostname(configuration.host, port: configuration.port),
            services: services.map { NamedService($0) },
            onListening: { channel in
                listens.yield()
                channel.closeFuture.whenComplete { _ in listens.finish() }
            }
        )
        application.beforeServerStarts(perform: prepare)
        return application
    }

    /// What the servers of a service share.
    private struct Parts<Responder: HTTPResponder> where Responder.Context == AppRequestContext {
        let responder: Responder
        let server: HTTPServerBuilder
        let logger: Logger

        func application(
            at address: BindAddress,
            services: [any Service] = [],
            onListening: @escaping @Sendable (any Channel) -> Void = { _ in }
        ) -> Application<Responder> {
            Application(
                responder: responder,
                server: server,
                configuration: ApplicationConfiguration(
                    address: address,
                    serverName: nil,
                    // A gateway opens thousands of connections at once when thousands of clients wait for the same event.
                    backlog: 4096
                ),
                services: services,
                onServerRunning: { channel in
                    let place = channel.localAddress?.description ?? "-"
                    logger.notice("server: listening", metadata: ["address": "\(place)"])
                    onListening(channel)
                },
                logger: logger
            )
        }
    }

    private static func server(
        _ sockets: [SocketRoute],
        _ connections: OpenConnections,
        _ configuration: HostConfiguration
    ) -> HTTPServerBuilder {
        guard !sockets.isEmpty else { return .http1() }
        let router = SocketRouter(routes: sockets, keys: configuration.internalKeys)
        return .http1WithWebSockets(connections: connections, decide: router.decide)
    }

    /// Runs a service until shutdown, as any process, and gives notice of the shutdown.
    package static func run<Configuration: HostedConfiguration>(
        _ name: String,
        _ purpose: String,
        read: (inout Settings) throws -> Configuration,
        build: (Configuration, Logger) async throws -> any ServiceLifecycle.Service
    ) async {
        let arguments = ProgramArguments(CommandLine.arguments.dropFirst(), hasSchema: true)
        await start(
            name,
            purpose,
            arguments,
            read: read,
            logLevel: \.host.logLevel,
            collector: \.host.collector,
            console: \.host.console,
            shutdown: \.host.shutdown,
            build: { configuration, logger in
                var configuration = configuration
                configuration.host.onlyMigrates = arguments.onlyMigrates
                return try await build(configuration, logger)
            }
        )
    }

    /// Ends a service with `--migrate`.
    package struct SchemaUpToDate: Error {
        package init() {}
    }

    /// Runs a process until shutdown: reads its settings, starts telemetry, builds it, and drains on SIGTERM.
    ///
    /// A failure during startup prints one sentence to standard error and exits with code 1. With `--help` the process
    /// prints its purpose and settings, with `--version` its version.
    ///
    /// - Parameters:
    ///   - name: The program's name.
    ///   - purpose: A one-line description of the program.
    ///   - collector: Where spans are exported.
    ///   - console: Where traces are kept.
    ///   - mayEnd: Whether the process may end by itself, without an error.
    ///   - shutdown: The notice of the shutdown; nil for none.
    package static func run<Configuration>(
        _ name: String,
        _ purpose: String,
        read: (inout Settings) throws -> Configuration,
        logLevel: (Configuration) -> Logger.Level,
        collector: (Configuration) -> CollectorSettings? = { _ in nil },
        console: (Configuration) -> ConsoleSettings? = { _ in nil },
        mayEnd: Bool = false,
        shutdown: (Configuration) -> ShutdownNotice? = { _ in nil },
        build: (Configuration, Logger) async throws -> any ServiceLifecycle.Service
    ) async {
        await start(
            name,
            purpose,
            ProgramArguments(CommandLine.arguments.dropFirst()),
            read: read,
            logLevel: logLevel,
            collector: collector,
            console: console,
            mayEnd: mayEnd,
            shutdown: shutdown,
            build: build
        )
    }

    private static func start<Configuration>(
        _ name: String,
        _ purpose: String,
        _ arguments: ProgramArguments,
        read: (inout Settings) throws -> Configuration,
        logLevel: (Configuration) -> Logger.Level,
        collector: (Configuration) -> CollectorSettings?,
        console: (Configuration) -> ConsoleSettings?,
        mayEnd: Bool = false,
        shutdown: (Configuration) -> ShutdownNotice? = { _ in nil },
        build: (Configuration, Logger) async throws -> any ServiceLifecycle.Service
    ) async {
        do {
            if var answer = try arguments.answer(
                for: name,
                purpose,
                settings: try Settings.declarations(read)
            ) {
                return answer.withUTF8 { StandardOutput.write(UnsafeRawBufferPointer($0)) }
            }
            let configuration = try Settings.read(read)
            EventLoopTasks.install()
            let (collector, console) = (collector(configuration), console(configuration))
            let isTraced = collector?.url != nil || console != nil
            Telemetry.bootstrap(service: name, level: logLevel(configuration), isTraced: isTraced)
            OpenFiles.raiseLimit()
            let logger = Logger(label: name)
            var services = [try await build(configuration, logger)]
            if let exporter = collector.flatMap({ SpanExporter($0, of: .shared, logger: logger) }) {
                services.insert(exporter, at: 0)
            }
            if let console { services.insert(TraceKeeper(console, of: .shared, logger: logger), at: 0) }
            if let notice = shutdown(configuration) { services.append(notice) }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: services.map {
                        .init(
                            service: NamedService($0),
                            successTerminationBehavior: mayEnd ? .gracefullyShutdownGroup : .cancelGroup
                        )
                    },
                    gracefulShutdownSignals: [.sigterm, .sigint],
                    logger: logger
                )
            )
            try await group.run()
        } catch is SchemaUpToDate {
            return
        } catch {
            StandardError.write("\(name): \(error)")
            exitProcess(1)
        }
    }
}
