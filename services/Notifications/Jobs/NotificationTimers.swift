import Logging
import ServiceKit
import ServiceLifecycle

/// Background jobs: queueing of announcements and deletion of old rows. All replicas run them concurrently; each takes
/// rows that no other has locked.
struct NotificationTimers: Service {
    let domain: NotificationsDomain
    let logger: Logger

    init(_ domain: NotificationsDomain, logger: Logger) {
        self.domain = domain
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        await repeatedly("announcements", domain.broadcasts.waker) {
                            try await domain.broadcasts.pushNext()
                        }
                    }
                    group.addTask {
                        await repeatedly("old phones", every: .seconds(3600)) {
                            try await domain.devices.prune()
                            return false
                        }
                    }
                }
            }
        }
    }
}
