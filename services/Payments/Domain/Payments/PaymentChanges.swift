import FoundationEssentials
import Values

/// Changes to one payment and its order, collected to be written at the end of the transaction.
struct PaymentChanges: Sendable {
    private(set) var payment: Payment
    var order: Order?
    /// Ledger transactions, in order.
    private(set) var movements: [Movement] = []
    private(set) var refunds: [RefundDraft] = []
    /// Entries of the audit.
    private(set) var notes: [Note] = []

    struct Movement: Sendable, Equatable {
        var kind: LedgerKind
        /// By account; debit is positive. Their sum is zero.
        var entries: [LedgerAccount: Int64]
    }

    struct Note: Sendable, Equatable {
        var action: String
        var detail: String
    }

    init(payment: Payment, order: Order?) {
        self.payment = payment
        self.order = order
    }

    /// Paid, and not decided.
    var isUndecided: Bool {
        payment.verdict == nil && payment.status == .paid && payment.balance.unallocated > 0
    }

    /// The amount refunded so far.
    var cancelled: Int64 { payment.balance.cancelled }

    /// The order's new state according to the payment; nil when it does not change.
    var nextState: Order.State? {
        guard payment.verdict == .confirmed, let order else { return nil }
        let state = payment.balance.sold > 0 ? Order.State.paid : .refunded
        return order.state == state ? nil : state
    }

    /// Applies PortOne's report, and decides on the payment of an order once it is paid.
    ///
    /// - Parameter takesTests: Whether payments of PortOne's test mode count.
    mutating func settle(_ report: PaymentReport, takesTests: Bool, at now: Date) {
        see(report)
        guard isUndecided, let order else { return }
        decide(PaymentVerification(report, cancelled: cancelled, for: order, takesTests: takesTests), at: now)
    }

    /// Applies PortOne's report.
    mutating func see(_ report: PaymentReport) {
        if let order { payment.order = order.id }
        let old = payment.status
        payment.see(report)
        if payment.status != old { note("payment_\(payment.status.rawValue)", "was \(old.rawValue)") }
        move(.payment) { $0.see(paid: report.paid) }
        let before = payment.balance.cancelled
        move(.cancellation) { $0.see(cancelled: report.cancelled) }
        if payment.balance.cancelled != before {
            note("payment_cancelled", "\(payment.balance.cancelled) of \(payment.balance.paid)")
        }
    }

    /// Allocates the payment to the order, or marks it for refund.
    mutating func decide(_ verdict: PaymentVerification, at now: Date) {
        payment.verdict = verdict
        payment.decidedAt = now
        payment.order = order?.id
        note("decided", verdict.rawValue)
        guard verdict != .confirmed else { return move(.sale) { $0.sell() } }
        guard !Sabotage.refundLeftOut.isBuiltIn else { return }
        owe(payment.balance.unallocated, because: verdict.reason, key: nil)
    }

    /// Marks an amount for refund.
    mutating func owe(_ amount: Int64, because reason: String, key: String?) {
        var owed: Int64 = 0
        move(.refundDue) { owed = $0.owe(amount) }
        guard owed > 0 else { return }
        refunds.append(RefundDraft(amount: owed, reason: reason, key: key))
        note("refund_due", "\(owed): \(reason)")
    }

    private mutating func move(_ kind: LedgerKind, _ change: (inout Balance) -> Void) {
        let old = payment.balance
        change(&payment.balance)
        let entries = payment.balance.entries(since: old)
        guard !entries.isEmpty, kind != .refundDue || !Sabotage.moneyWithoutEntry.isBuiltIn else { return }
        movements.append(Movement(kind: kind, entries: Dictionary(uniqueKeysWithValues: entries.map { ($0, $1) })))
    }

    private mutating func note(_ action: String, _ detail: String) {
        notes.append(Note(action: action, detail: detail))
    }
}

/// A refund to be stored.
struct RefundDraft: Sendable, Equatable {
    /// In the smallest unit of the payment's currency.
    var amount: Int64
    /// The reason, for the payer.
    var reason: String
    /// Idempotency key of the request.
    var key: String?
}
