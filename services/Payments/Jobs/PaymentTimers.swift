import Logging
import ServiceKit
import ServiceLifecycle

/// Background jobs: polling of open orders, webhooks, refunds, reconciliation, and deletion of old rows. All replicas
/// run them concurrently; each takes rows that no other replica has reserved.
struct PaymentTimers: Service {
    let domain: PaymentsDomain
    let logger: Logger

    init(_ domain: PaymentsDomain, logger: Logger) {
        self.domain = domain
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                await withDiscardingTaskGroup { group in
                    group.addTask { await repeatedly("open orders") { try await domain.openOrders.checkDue() } }
                    group.addTask {
                        await repeatedly("webhooks", domain.notices.waker) { try await domain.notices.lookIntoDue() }
                    }
                    group.addTask {
                        await repeatedly("refunds", domain.refunds.waker) { try await domain.refunds.carryOutDue() }
                    }
                    group.addTask {
                        await repeatedly("unclaimed payments", every: .seconds(5)) {
                            try await domain.purchases.sendBackUnclaimed()
                        }
                    }
                    group.addTask {
                        await repeatedly("the comparison with PortOne", every: .seconds(60)) {
                            try await domain.comparison.runIfDue()
                            return false
                        }
                    }
                    group.addTask {
                        await repeatedly("old answers and webhooks", every: .seconds(3600)) {
                            try await domain.requests.prune()
                            try await domain.notices.prune()
                            return false
                        }
                    }
                }
            }
        }
    }
}
