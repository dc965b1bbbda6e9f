import AsyncHTTPClient
import NIOCore
import ServiceKit
import ServiceLifecycle

/// The HTTP client for FCM. Without HTTP/2 it opens one connection per concurrent attempt.
struct FCMConnections: Service {
    let client: HTTPClient

    init(_ configuration: NotificationsConfiguration) {
        var settings = HTTPClient.Configuration()
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.pace.concurrency
        settings.timeout.connect = .seconds(3)
        settings.tracing.tracer = nil
        settings.http1_1ConnectionDebugInitializer = { FlushGathering.add(to: $0) }
        settings.http2ConnectionDebugInitializer = { FlushGathering.add(to: $0) }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    /// Shuts the client down when the service ends.
    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}
