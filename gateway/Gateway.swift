import AsyncHTTPClient
import Authentication
import Logging
import NIOCore
import NIOPosix
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
        let services = ServiceGroup(services: services, logger: logger)
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

    /// Ends sessions here at once: their tokens are refused from now on.
    ///
    /// - Parameters:
    ///   - sessions: the ids of the sessions.
    ///   - expiry: when the last of their access tokens expires, in seconds since 1970.
    ///   - now: the time, likewise.
    func revoke(_ sessions: Set<String>, until expiry: Int64, now: Int64) {
        let last = expiry + core.configuration.tokenLeeway
        for session in sessions { core.revocations.add(session, until: last, now: now) }
        workers.forEach { $0.authenticator.forget(sessions) }
    }

    private func stop() async {
        workers.forEach { $0.stop() }
        try? await http.shutdown()
        try? await group.shutdownGracefully()
        await core.logWriter?.close()
    }
}
