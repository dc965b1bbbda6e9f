import Hummingbird
import Logging
import NIOCore
import ServiceKit
import ServiceLifecycle

/// The operators' port: `/console`, `/metrics`, `/healthz`, `/readyz`. It is separate from client traffic and must not be exposed
/// publicly.
struct AdminServer: Service {
    private let application: any Service
    private let port: Int
    /// Whether the port may be that of another gateway, which is ending.
    private let hasPredecessor: Bool
    private let drainTime: Duration
    private let logger: Logger

    /// - Parameters:
    ///   - pages: The pages that both ports serve.
    ///   - console: nil without a console.
    ///   - onListening: Called with the address once connections are accepted.
    init(
        _ configuration: GatewayConfiguration,
        metrics: GatewayMetrics,
        pages: LocalPages,
        console: ConsoleProxy?,
        group: any EventLoopGroup,
        logger: Logger,
        hasPredecessor: Bool,
        onListening: @escaping @Sendable (SocketAddress) -> Void
    ) {
        let router = Hummingbird.Router()
        router.get("metrics") { request, _ in
            let format = MetricsFormat(accept: request.headers[.accept])
            var response = Response(.text(try await metrics.exposition(format)))
            response.headers[.contentType] = format.contentType
            return response
        }
        router.get("healthz") { _, _ in Response(pages.answer(.alive)) }
        router.get("readyz") { _, _ in Response(pages.answer(.ready)) }
        if let console {
            for path: RouterPath in ["console", "console/**"] {
                router.get(path) { request, _ in try await console.respond(to: request) }
                router.post(path) { request, _ in try await console.respond(to: request) }
            }
        }
        port = configuration.adminPort
        drainTime = configuration.drainTime
        self.hasPredecessor = hasPredecessor
        self.logger = logger
        application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.adminHost, port: configuration.adminPort),
                serverName: nil
            ),
            onServerRunning: { channel in
                if let address = channel.localAddress { onListening(address) }
            },
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }

    /// Serves until shutdown. While a predecessor has the port it is tried again for as long as that takes: clients are
    /// served already.
    ///
    /// - Throws: `PortTaken`.
    func run() async throws {
        var warning = ContinuousClock.now + drainTime
        while true {
            do {
                return try await application.run()
            } catch let error as IOError where error.isPortTaken {
                guard hasPredecessor else { throw PortTaken(port: port, setting: "ADMIN_PORT") }
                if .now > warning {
                    logger.warning("admin: ADMIN_PORT is still taken, will retry", metadata: ["port": "\(port)"])
                    warning = .now + .seconds(30)
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

extension Response {
    fileprivate init(_ answer: LocalResponse) {
        self.init(
            status: .init(code: answer.status, reasonPhrase: answer.reason),
            headers: answer.contentType.map { [.contentType: $0] } ?? [:],
            body: ResponseBody(byteBuffer: answer.body)
        )
    }
}
