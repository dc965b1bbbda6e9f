import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle

/// A configured gateway, ready to run; created by `GatewayService.build`.
struct Gateway: Service {
    let core: GatewayCore
    let loops: EventLoopContexts
    let directory: UpstreamDirectory
    /// The services in start order. They stop in reverse order, so the server drains while the others still run.
    let services: [any Service]
    /// The notice of the shutdown, which is over when the gateway has given its connections away.
    let shutdown: ShutdownNotice
    let http: HTTPClient
    let group: MultiThreadedEventLoopGroup
    let logger: Logger

    func run() async throws {
        let configurations = services.map { service in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: NamedService(service),
                // When all connections are given to a successor.
                successTerminationBehavior: service is HandoverServer ? .gracefullyShutdownGroup : .cancelGroup
            )
        }
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: configurations, logger: logger))
        let result: Result<Void, any Error>
        do {
            try await services.run()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await stop()
        try result.get()
    }

    private func stop() async {
        shutdown.end()
        loops.forEach { $0.stop() }
        try? await http.shutdown()
        try? await group.shutdownGracefully()
        await core.logWriter?.close()
    }
}
