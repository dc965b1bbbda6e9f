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
        let order = try await order(of: report, in: transaction)
        if let payer, let order, order.account != payer { throw PaymentsError.notYours }
        let now = now()
        let fresh = Payment(report, at: now, publicID: PublicID.random())
        try await payments.insertIfNew(fresh, in: transaction)
        var payment = try await payments.lock(report.impUID, in: transaction)
        guard payment.merchantUID == report.merchantUID, payment.money.currency == report.money.currency else {
            throw PaymentsError.boundElsewhere
        }
        if let claim, let order, !claim.fits(order) { throw PaymentsError.boundElsewhere }

        var desk = PaymentDesk(payment: payment, order: order)
        desk.see(report)
        if desk.isUndecided {
            if let order {
                desk.decide(Verdict(report, cancelled: desk.cancelled, for: order, takesTests: takesTests), at: now)
            } else if let claim {
                try await self.claim(claim, report, &desk, in: transaction)
            }
        }
        try await write(desk, was: payment, by: actor, in: transaction)
        payment = desk.payment
        return Outcome(order: desk.order, payment: payment)
    }

    /// Sends back a payment that nobody has said is theirs.
    func giveUp(_ impUID: String, in transaction: PostgresTransaction) async throws {
        let payment = try await payments.lock(impUID, in: transaction)
        var desk = PaymentDesk(payment: payment, order: nil)
        guard desk.isUndecided, payment.order == nil else { return }
        desk.decide(.unclaimed, at: now())
        try await write(desk, was: payment, by: .timer, in: transaction)
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
        guard amount > 0, amount <= payment.balance.sold else {
            throw PaymentsError.notRefundable("amount must be from 1 to \(payment.balance.sold).")
        }
        var desk = PaymentDesk(payment: payment, order: order)
        desk.owe(amount, because: reason, key: key)
        try await write(desk, was: payment, by: actor, in: transaction)
        return Outcome(order: desk.order, payment: desk.payment)
    }

    // MARK: Steps

    /// The order that a payment is for, locked; nil when there is none. Nobody else claims it then before the transaction ends.
    private func order(of report: PaymentReport, in transaction: PostgresTransaction) async throws -> Order? {
        if let order = try await orders.lock(code: report.merchantUID, in: transaction) { return order }
        // Whoever held this may have claimed it. To look again later, with the payment locked, would be against the order of
        // locks.
        try await orders.lockCode(report.merchantUID, in: transaction)
        return try await orders.lock(code: report.merchantUID, in: transaction)
    }

    /// Makes the order that a payment was for, once all is well with it.
    private func claim(
        _ claim: Claim,
        _ report: PaymentReport,
        _ desk: inout PaymentDesk,
        in transaction: PostgresTransaction
    ) async throws {
        let now = now()
        let paidAt = report.paidAt ?? now
        var order = claim.order(for: report, paidAt: paidAt, until: paidAt.addingTimeInterval(claimWindow), at: now)
        let verdict = Verdict(report, cancelled: desk.cancelled, for: order, takesTests: takesTests)
        guard verdict == .confirmed else { return desk.decide(verdict, at: now) }
        guard now <= order.heldUntil else { return desk.decide(.claimedTooLate, at: now) }
        order.id = try await orders.insertClaimed(order, in: transaction)
        desk.order = order
        desk.decide(.confirmed, at: now)
    }

    private func write(
        _ desk: PaymentDesk,
        was old: Payment,
        by actor: Actor,
        in transaction: PostgresTransaction
    ) async throws {
        let now = now()
        for movement in desk.movements {
            try await payments.post(movement, of: desk.payment, at: now, in: transaction)
        }
        if desk.payment != old { try await payments.update(desk.payment, in: transaction) }
        for refund in desk.refunds {
            try await refunds.insert(refund, of: desk.payment.impUID, at: now, in: transaction)
        }
        if desk.payment.balance.due == 0, old.balance.due > 0 {
            try await refunds.finishAll(of: desk.payment.impUID, at: now, in: transaction)
        }
        for note in desk.notes {
            try await audit.insert(
                note,
                by: actor,
                order: desk.order?.code,
                payment: old.impUID,
                at: now,
                in: transaction
            )
        }
        guard let order = desk.order, let state = desk.nextState else { return }
        try await OrderChange(outbox: outbox, now: now).apply(state, to: order, desk.payment, in: transaction)
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
