package import Authentication
package import Contracts
package import Logging

/// The configuration common to all services.
package struct HostConfiguration: Sendable {
    package var environment: DeploymentEnvironment = .development
    /// `HOST`: the address to bind; loopback by default.
    package var host = "127.0.0.1"
    /// `PORT`; 0 lets the system choose.
    package var port: Int
    /// `SERVICE_SOCKETS`: the folder of the socket for a gateway on this host; empty for none.
    package var serviceSockets = ""
    /// `INTERNAL_KEY` and `INTERNAL_PUBLIC_KEYS`: sign and verify internal calls.
    package var internalKeys: InternalKeys
    /// `LOG_LEVEL`.
    package var logLevel: Logger.Level = .info
    /// `REQUEST_DEADLINE`: seconds after which a request is cancelled.
    package var requestDeadline: Duration = .seconds(15)
    /// `CALL_DEADLINE`: seconds in which another service answers a read.
    package var callDeadline: Duration = .seconds(60)
    /// `UPLOAD_DEADLINE`: seconds after which a form with files is cancelled; longer because of slow connections.
    package var uploadDeadline: Duration = .seconds(120)
    /// `BODY_LIMIT`: the largest JSON body, in bytes.
    package var bodyLimit = 256 * 1024
    /// `SHUTDOWN_DELAY`: seconds from SIGTERM to the end of the listener; SIGINT ends it at once.
    package var shutdown = ShutdownNotice(lasting: .zero)
    /// `OTEL_…`: where spans are exported; nil for nowhere.
    package var collector: CollectorSettings?
    /// `CONSOLE_URL`, `TRACES_KEPT`: where traces are kept; nil for nowhere.
    package var console: ConsoleSettings?
    /// `--migrate`: whether the service ends when its schema is up to date.
    package var onlyMigrates = false

    /// An address at which nothing listens: the default of other services and outside systems in a configuration that is
    /// not read from the environment, so that a test never calls a stack that runs on the same machine.
    package static let noServer = "http://127.0.0.1:9"

    /// Creates a configuration for tests: with every default, but a deadline for calls that a busy machine keeps.
    package init(_ program: ProgramName, port: Int) {
        self.internalKeys = .development(program)
        self.port = port
    }

    package init(_ program: ProgramName, _ settings: inout Settings, port: Int) {
        self.environment = settings.environment
        self.host = settings.string("HOST", default: "127.0.0.1", "address to listen on")
        self.port = settings.int("PORT", default: port, in: 0...65_535, "port to listen on; 0 lets the system choose")
        self.serviceSockets = settings.serviceSockets()
        self.internalKeys = settings.internalKeys(of: program)
        self.logLevel = settings.logLevel()
        self.collector = CollectorSettings(program.rawValue, &settings)
        if program != .console { self.console = ConsoleSettings(keys: internalKeys, &settings) }
        self.requestDeadline = settings.seconds(
            "REQUEST_DEADLINE",
            default: 15,
            "seconds after which a request is answered 503"
        )
        self.callDeadline = settings.seconds(
            "CALL_DEADLINE",
            default: 2,
            "seconds in which another service has to answer a read; a change has five seconds at least"
        )
        self.uploadDeadline = settings.seconds("UPLOAD_DEADLINE", default: 120, "the same for a form with files")
        self.bodyLimit = settings.int(
            "BODY_LIMIT",
            default: 256 * 1024,
            in: 1024...1_073_741_824,
            "largest JSON body, in bytes"
        )
        self.shutdown = ShutdownNotice(
            lasting: settings.seconds(
                "SHUTDOWN_DELAY",
                default: 0,
                orZero: true,
                "seconds after SIGTERM in which /readyz answers 503 and all else is served, so that callers go on to "
                    + "another copy; the gateway needs 4"
            )
        )
    }
}
