import Logging
import ServiceHost
import ServiceLifecycle

/// Forgets what is old. Several copies of the service may do so beside each other.
struct NotificationTimers: Service {
    let domain: NotificationsDomain
    let logger: Logger

    init(_ domain: NotificationsDomain, logger: Logger) {
        self.domain = domain
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await domain.devices.prune()
                } catch {
                    if !Task.isCancelled { logger.warning("old phones are not forgotten", error: error) }
                }
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }
}
