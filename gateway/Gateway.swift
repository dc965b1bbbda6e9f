import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import ServiceHost
import ServiceLifecycle

/// A gateway that is put together, ready to run; made by `GatewayService.build`.
struct Gateway: Service {
    let core: GatewayCore
    let workers: Workers
    let directory: UpstreamDirectory
    /// In starting order. They end in the opposite one, so the server drains while all else still works.
    let services: [any Service]
    let http: HTTPClient
    let group: MultiThreadedEventLoopGroup
    let logger: Logger

    func run() async throws {
        let services = ServiceGroup(services: services.map { NamedService($0) }, logger: logger)
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
        workers.forEach { $0.stop() }
        try? await http.shutdown()
        try? await group.shutdownGracefully()
        await core.logWriter?.close()
    }
}
