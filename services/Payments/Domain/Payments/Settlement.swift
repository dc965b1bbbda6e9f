import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// Takes in what PortOne tells of a payment: the one place where a payment comes to pay for an order, or is sent back. Whoever
/// asks for it (the app, a webhook, a timer) and however often, in whatever order and at once, comes to the same end.
///
/// The order, or its code where there is no order yet, is locked first and then the payment. What changes hands is written in
/// the ledger in the same transaction, and so is whom to tell.
struct Settlement: Sendable {
    let outbox: Outbox
    /// Whether payments of PortOne's test mode are taken for real ones.
    let takesTests: Bool
    /// How long after it was paid somebody may say that a payment is theirs.
    let claimWindow: TimeInterval
    let now: @Sendable () -> Date
    private let orders = OrderStore()
    private let payments = PaymentStore()
    private let refunds = RefundStore()
    private let audit = AuditStore()

    init(outbox: Outbox, takesTests: Bool, claimWindow: TimeInterval, now: @escaping @Sendable () -> Date) {
        self.outbox = outbox
        self.takesTests = takesTests
        self.claimWindow = claimWindow
        self.now = now
    }

    /// How a payment stands after all that is known.
    struct Outcome: Sendable, Equatable {
        /// nil while nobody has said what it is for.
        var order: Order?
        var payment: Payment
    }

    /// Whoever says that a payment is theirs, and what for; a payment that began without an order needs somebody to.
    struct Claim: Sendable {
        var account: Int64
        /// The public id of the post.
        var post: String
        var offer: CommunityAPI.Offer
    }

    /// - Parameters:
    ///   - payer: who shows the payment for an order of their own; nil for who is no person.
    ///   - claim: needed for a payment without an order.
    /// - Throws: `PaymentsError.notYours`, `.boundElsewhere`; nothing has changed then.
    func settle(
        _ report: PaymentReport,
        by actor: Actor,
        payer: Int64? = nil,
        claim: Claim? = nil,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let now = now()
        // Whoever holds the code may be making its order; to look again later, with the payment locked, would be against the
        // order of locks.
        let (_, order, _, found) = try await transaction.run(
            orders.lockCodeUnlessOrdered(report.merchantUID),
            orders.lock(code: report.merchantUID),
            payments.insertIfNew(Payment(report, at: now, publicID: PublicID.random())),
            payments.lock(report.impUID)
        )
        if let payer, let order, order.account != payer { throw PaymentsError.notYours }
        guard let payment = found, payment.fits(report) else { throw PaymentsError.boundElsewhere }
        if let claim, let order, !claim.fits(order) { throw PaymentsError.boundElsewhere }

        var desk = PaymentDesk(payment: payment, order: order)
        desk.see(report)
        if desk.isUndecided {
            if let order {
                desk.decide(Verdict(report, cancelled: desk.cancelled, for: order, takesTests: takesTests), at: now)
            } else if let claim {
                try await self.claim(claim, report, &desk, at: now, in: transaction)
            }
        }
        return try await write(desk, was: payment, by: actor, at: now, in: transaction)
    }

    /// Sends back a payment that nobody has said is theirs.
    func giveUp(_ impUID: String, in transaction: PostgresTransaction) async throws {
        let payment = try await payments.lock(impUID, in: transaction)
        var desk = PaymentDesk(payment: payment, order: nil)
        guard desk.isUndecided, payment.order == nil else { return }
        let now = now()
        desk.decide(.unclaimed, at: now)
        _ = try await write(desk, was: payment, by: .timer, at: now, in: transaction)
    }

    /// Gives back a part of what has paid for an order, or all of it, which ends the order.
    ///
    /// - Parameter amount: in the smallest unit; nil for all that is left.
    /// - Throws: `PaymentsError.paymentUnknown`, `.notRefundable`.
    func refund(
        _ impUID: String,
        _ amount: Int64?,
        because reason: String,
        key: String?,
        by actor: Actor,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        guard let code = try await payments.merchantUID(of: impUID, in: transaction) else {
            throw PaymentsError.paymentUnknown
        }
        let order = try await orders.lock(code: code, in: transaction)
        let payment = try await payments.lock(impUID, in: transaction)
        if let key, try await refunds.isKnown(key, of: impUID, in: transaction) {
            return Outcome(order: order, payment: payment)
        }
        let amount = amount ?? payment.balance.sold
        guard payment.balance.sold > 0 else {
            throw PaymentsError.notRefundable("imp_uid must be of a payment of which something is left.")
        }
        guard amount > 0, amount <= payment.balance.sold else {
            throw PaymentsError.notRefundable("amount must be from 1 to \(payment.balance.sold).")
        }
        var desk = PaymentDesk(payment: payment, order: order)
        desk.owe(amount, because: reason, key: key)
        return try await write(desk, was: payment, by: actor, at: now(), in: transaction)
    }

    // MARK: Steps

    /// Makes the order that a payment was for, once all is well with it.
    private func claim(
        _ claim: Claim,
        _ report: PaymentReport,
        _ desk: inout PaymentDesk,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let paidAt = report.paidAt ?? now
        var order = claim.order(for: report, paidAt: paidAt, until: paidAt.addingTimeInterval(claimWindow), at: now)
        let verdict = Verdict(report, cancelled: desk.cancelled, for: order, takesTests: takesTests)
        guard verdict == .confirmed else { return desk.decide(verdict, at: now) }
        guard now <= order.heldUntil else { return desk.decide(.claimedTooLate, at: now) }
        order.id = try await orders.insertClaimed(order, in: transaction)
        desk.order = order
        desk.decide(.confirmed, at: now)
    }

    /// - Returns: how all is afterwards.
    private func write(
        _ desk: PaymentDesk,
        was old: Payment,
        by actor: Actor,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let payment = desk.payment
        guard payment != old || !desk.notes.isEmpty else { return Outcome(order: desk.order, payment: payment) }
        let change = OrderChange(outbox: outbox, now: now)
        let changed = desk.order.flatMap { order in desk.nextState.map { (order, $0) } }
        try await transaction.run(
            [
                payments.post(desk.movements, of: payment, at: now),
                payments.update(payment),
                audit.insert(desk.notes, by: actor, order: desk.order?.code, payment: payment.impUID, at: now),
            ] + (changed.map { try change.statements($1, $0) } ?? [])
        )
        for refund in desk.refunds { try await refunds.insert(refund, of: payment.impUID, at: now, in: transaction) }
        if payment.balance.due == 0, old.balance.due > 0 {
            try await refunds.finishAll(of: payment.impUID, at: now, in: transaction)
        }
        guard let (order, state) = changed else { return Outcome(order: desk.order, payment: payment) }
        try await change.tellCommunity(state, order, in: transaction)
        return Outcome(order: change.changed(order, to: state), payment: payment)
    }
}

extension Settlement.Claim {
    /// Whether an order is the one that is claimed.
    fileprivate func fits(_ order: Order) -> Bool {
        order.app == .culture && order.account == account && order.subject == post
    }

    fileprivate func order(for report: PaymentReport, paidAt: Date, until end: Date, at now: Date) -> Order {
        Order(
            id: 0,
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
