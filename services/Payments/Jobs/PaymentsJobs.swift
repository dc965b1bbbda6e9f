import ServiceDatabase
import ServiceKit

extension PaymentsDomain {
    /// Polling of open orders, webhooks, refunds, reconciliation, and deletion of old rows.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("open orders") { try await openOrders.checkDue() },
            PeriodicJob("webhooks", signal: notices.waker) { try await notices.lookIntoDue() },
            PeriodicJob("refunds", signal: refunds.waker) { try await refunds.carryOutDue() },
            PeriodicJob("unclaimed payments", every: .seconds(5)) { try await purchases.sendBackUnclaimed() },
            PeriodicJob("reconciliation with PortOne", every: .seconds(60)) {
                try await comparison.runIfDue()
                return false
            },
            PeriodicJob("old records", every: .seconds(3600)) { try await retention.deleteOld() },
            PeriodicJob("old responses and webhooks", every: .seconds(60)) {
                try await requests.prune()
                try await notices.prune()
                return false
            },
        ]
    }
}
