import FoundationEssentials
import Logging
import Postgres
import Providers
import ServiceHost

/// Gives money back: what was paid by mistake or by fraud, and what operators give back. PortOne is asked until it has done
/// so. Before each time it is looked at what has gone back already, and PortOne is told how much it should still hold
/// (`checksum`): so an answer that was lost, or somebody at its console, makes nothing go back twice.
struct Refunds: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: Settlement
    /// For so many seconds a refund that was taken is taken by nobody else.
    let lease: TimeInterval
    let now: @Sendable () -> Date
    /// Woken when there is money to give back.
    let waker = Waker()
    private let store = RefundStore()

    init(
        database: PostgresClient,
        portOne: PortOneClient,
        settlement: Settlement,
        lease: TimeInterval,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.portOne = portOne
        self.settlement = settlement
        self.lease = lease
        self.now = now
    }

    /// Gives back a part of what has paid for an order, or all that is left of it, which ends the order.
    ///
    /// - Parameters:
    ///   - amount: in the smallest unit of the currency; nil for all.
    ///   - key: what the requester calls it, so that it is made once.
    /// - Throws: `PaymentsError`.
    func request(_ impUID: String, _ amount: Int64?, because reason: String, key: String?, by actor: Actor) async throws
        -> Settlement.Outcome
    {
        let outcome = try await database.transaction {
            try await settlement.refund(impUID, amount, because: reason, key: key, by: actor, in: $0)
        }
        waker.wake()
        return outcome
    }

    /// Asks PortOne for what is due.
    ///
    /// - Returns: whether there may be more.
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
            let pause = min(300, pow2(refund.attempts)) * Double.random(in: 0.75...1.25)
            Logger.current.warning("a refund is not made yet", error: error, metadata: ["refund": "\(refund.id)"])
            _ = try? await store.putOff(refund.id, until: now() + pause, because: "\(error)", in: database)
        }
    }

    private func carryOut(_ refund: Refund) async throws {
        guard let report = try await portOne.payment(refund.impUID) else { throw PaymentsError.paymentUnknown }
        try await settle(report)
        let amount = min(refund.amount, try await store.due(of: refund.impUID, in: database))
        guard amount > 0 else { return try await store.finish(refund.id, at: now(), in: database) }
        let cancelled = try await portOne.cancel(
            report,
            Money(amount: amount, currency: report.money.currency),
            because: refund.reason
        )
        try await settle(cancelled)
        try await store.finish(refund.id, at: now(), in: database)
    }

    private func settle(_ report: PaymentReport) async throws {
        _ = try await database.transaction { try await settlement.settle(report, by: .timer, in: $0) }
    }

    /// Seconds: 0.5, 1, 2, …
    private func pow2(_ attempts: Int) -> Double { Double(1 << min(attempts, 12)) / 4 }
}
