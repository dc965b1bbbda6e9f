import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit

/// Processes PortOne's report of a payment: the only place where a payment is allocated to an order or marked for
/// refund. The result depends neither on the trigger (an app, a webhook, a timer) nor on repetition, order and
/// concurrency of the calls.
///
/// Locks the order first, or its code where there is no order yet, and then the payment. Ledger transactions and events
/// are written in the same transaction.
struct PaymentProcessor: Sendable {
    let outbox: Outbox
    /// Whether payments of PortOne's test mode count.
    let takesTests: Bool
    /// Seconds after a payment within which a user can claim it.
    let claimWindow: TimeInterval
    let now: @Sendable () -> Date
    private let orders = OrderStore()
    private let payments = PaymentStore()
    private let refunds = RefundStore()
    private let audit = AuditStore()

    /// The state of a payment and its order after processing.
    struct Outcome: Sendable, Equatable {
        /// nil while the payment is not assigned.
        var order: Order?
        var payment: Payment
    }

    /// The claim of a user on a payment without an order, with the post it is for.
    struct Claim: Sendable {
        var account: AccountID
        /// Public ID of the post.
        var post: PublicID
        var offer: CommunityAPI.Offer
    }

    /// Applies a report to the payment and its order, and decides on a paid payment.
    ///
    /// - Parameters:
    ///   - payer: The account that presents the payment for its own order; nil when the trigger is not a user.
    ///   - claim: Required for a payment without an order.
    /// - Throws: `PaymentsError.notYours`, `.boundElsewhere`; nothing is changed then.
    func settle(
        _ report: PaymentReport,
        by actor: Actor,
        payer: AccountID? = nil,
        claim: Claim? = nil,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        TraceSubject.payment.note(report.impUID.rawValue)
        TraceSubject.order.note(Order.shownCode(report.merchantUID))
        let now = now()
        // The lock on the code excludes a concurrent insert of its order. Looking for the order again after locking the
        // payment would violate the lock order.
        let (_, order, _, found) = try await transaction.run(
            orders.lockCodeUnlessOrdered(report.merchantUID),
            orders.lock(code: report.merchantUID),
            payments.insertIfNew(Payment(report, at: now, publicID: PublicID.random())),
            payments.lock(report.impUID)
        )
        if let payer, let order, order.account != payer { throw PaymentsError.notYours }
        guard let payment = found, payment.fits(report) else { throw PaymentsError.boundElsewhere }
        if let claim, let order, !claim.fits(order) { throw PaymentsError.boundElsewhere }

        var changes = PaymentChanges(payment: payment, order: order)
        changes.settle(report, takesTests: takesTests, at: now)
        if changes.isUndecided, let claim {
            try await self.claim(claim, report, &changes, at: now, in: transaction)
        }
        return try await write(changes, was: payment, by: actor, at: now, in: transaction)
    }

    /// Marks a payment for refund that no user has claimed.
    func giveUp(_ impUID: ImpUID, in transaction: PostgresTransaction) async throws {
        let payment = try await payments.lock(impUID, in: transaction)
        var changes = PaymentChanges(payment: payment, order: nil)
        guard changes.isUndecided, payment.order == nil else { return }
        let now = now()
        changes.decide(.unclaimed, at: now)
        _ = try await write(changes, was: payment, by: .timer, at: now, in: transaction)
    }

    /// Refunds a part or all of the amount allocated to an order. A complete refund ends the order.
    ///
    /// - Parameter amount: In the smallest unit; nil for the whole rest.
    /// - Throws: `PaymentsError.paymentUnknown`, `.notRefundable`.
    func refund(
        _ impUID: ImpUID,
        _ amount: Int64?,
        because reason: String,
        key: String?,
        by actor: Actor,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        guard let code = try await payments.merchantUID(of: impUID, in: transaction) else {
            throw PaymentsError.paymentUnknown
        }
        TraceSubject.payment.note(impUID.rawValue)
        TraceSubject.order.note(Order.shownCode(code))
        let order = try await orders.lock(code: code, in: transaction)
        let payment = try await payments.lock(impUID, in: transaction)
        if let key, try await refunds.isKnown(key, of: impUID, in: transaction) {
            return Outcome(order: order, payment: payment)
        }
        let amount = try payment.refundable(amount)
        var changes = PaymentChanges(payment: payment, order: order)
        changes.owe(amount, because: reason, key: key)
        return try await write(changes, was: payment, by: actor, at: now(), in: transaction)
    }

    // MARK: Steps

    /// Creates the order of a claimed payment, if the payment is valid for it.
    private func claim(
        _ claim: Claim,
        _ report: PaymentReport,
        _ changes: inout PaymentChanges,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let paidAt = report.paidAt ?? now
        var order = claim.order(for: report, paidAt: paidAt, until: paidAt.addingTimeInterval(claimWindow), at: now)
        let verdict = PaymentVerification(report, cancelled: changes.cancelled, for: order, takesTests: takesTests)
        guard verdict == .confirmed else { return changes.decide(verdict, at: now) }
        guard now <= order.heldUntil else { return changes.decide(.claimedTooLate, at: now) }
        order.id = try await orders.insertClaimed(order, in: transaction)
        changes.order = order
        changes.decide(.confirmed, at: now)
    }

    /// - Returns: The state after the changes.
    private func write(
        _ changes: PaymentChanges,
        was old: Payment,
        by actor: Actor,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let payment = changes.payment
        guard payment != old || !changes.notes.isEmpty else { return Outcome(order: changes.order, payment: payment) }
        try transaction.enqueue([
            payments.post(changes.movements, of: payment, at: now),
            payments.update(payment),
            audit.insert(changes.notes, by: actor, order: changes.order?.code, payment: payment.impUID, at: now),
        ])
        for refund in changes.refunds { try await refunds.insert(refund, of: payment.impUID, at: now, in: transaction) }
        if payment.balance.due == 0, old.balance.due > 0 {
            try await refunds.finishAll(of: payment.impUID, at: now, in: transaction)
        }
        guard let order = changes.order, let state = changes.nextState else {
            return Outcome(order: changes.order, payment: payment)
        }
        let orderChange = OrderChange(outbox: outbox, now: now)
        try await orderChange.apply(state, to: order, in: transaction)
        return Outcome(order: orderChange.changed(order, to: state), payment: payment)
    }
}

extension PaymentProcessor.Claim {
    /// Whether an order is the claimed one.
    fileprivate func fits(_ order: Order) -> Bool {
        order.app == .culture && order.account == account && order.subject == post
    }

    fileprivate func order(for report: PaymentReport, paidAt: Date, until end: Date, at now: Date) -> Order {
        Order(
            id: .unassigned,
            app: .culture,
            code: report.merchantUID,
            account: account,
            subject: post,
            name: offer.productName,
            amount: offer.price ?? 0,
            heldUntil: end,
            createdAt: now,
            updatedAt: now
        )
    }
}
