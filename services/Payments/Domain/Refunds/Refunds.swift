import FoundationEssentials
import Logging
import Postgres
import ServiceKit

/// Carries out refunds of payments that were not accepted, and of operators. Requests are repeated until PortOne has
/// done them. Each attempt first reads the amount already refunded, and passes PortOne the amount it should still hold
/// (`checksum`), so that neither a lost response nor a refund at PortOne's console leads to a double refund.
struct Refunds: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    /// Seconds for which a taken refund is reserved for this replica.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    /// Woken when refunds are due.
    let waker = AsyncSignal()
    private let store = RefundStore()

    /// Refunds a part or all of the amount allocated to an order. A complete refund ends the order.
    ///
    /// - Parameters:
    ///   - amount: In the smallest unit of the currency; nil for all.
    ///   - key: Idempotency key of the request.
    /// - Throws: `PaymentsError`.
    func request(_ impUID: ImpUID, _ amount: Int64?, because reason: String, key: String?, by actor: Actor) async throws
        -> PaymentProcessor.Outcome
    {
        let outcome = try await database.transaction(key: "payment \(impUID)") {
            try await settlement.refund(impUID, amount, because: reason, key: key, by: actor, in: $0)
        }
        waker.wake()
        return outcome
    }

    /// Carries out the refunds that are due.
    ///
    /// - Returns: Whether there may be more.
    func carryOutDue() async throws -> Bool {
        let now = now()
        let due = try await store.takeDue(at: now, limit: 8, until: now + lease, in: database)
        await withDiscardingTaskGroup { group in
            for refund in due { group.addTask { await tryToCarryOut(refund) } }
        }
        return !due.isEmpty
    }

    private func tryToCarryOut(_ refund: Refund) async {
        do {
            try await carryOut(refund)
        } catch {
            let pause = refund.pause * Double.random(in: 0.75...1.25)
            Logger.current.warning(
                "refunds: PortOne has not made the refund, will retry",
                error: error,
                metadata: ["refund": "\(refund.id)"]
            )
            _ = try? await store.putOff(refund.id, until: now() + pause, because: "\(error)", in: database)
        }
    }

    private func carryOut(_ refund: Refund) async throws {
        guard let report = try await portOne.payment(refund.impUID) else { throw PaymentsError.paymentUnknown }
        try await settle(report)
        guard let amount = refund.amount(of: try await store.due(of: refund.impUID, in: database)) else {
            return try await store.finish(refund.id, at: now(), in: database)
        }
        let cancelled = try await portOne.cancel(
            report,
            Money(amount: amount, currency: report.money.currency),
            because: refund.reason
        )
        try await settle(cancelled)
        try await store.finish(refund.id, at: now(), in: database)
    }

    private func settle(_ report: PaymentReport) async throws {
        _ = try await database.transaction(key: "payment \(report.impUID)") {
            try await settlement.settle(report, by: .timer, in: $0)
        }
    }
}
