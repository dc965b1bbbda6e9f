import FoundationEssentials

/// One payment with its order while something is done to them, and what there is to be written afterwards.
struct PaymentDesk: Sendable {
    private(set) var payment: Payment
    var order: Order?
    /// For the ledger, in order.
    private(set) var movements: [Movement] = []
    private(set) var refunds: [RefundDraft] = []
    /// For the audit.
    private(set) var notes: [Note] = []

    struct Movement: Sendable, Equatable {
        var kind: LedgerKind
        /// By account; debit above zero. Their sum is zero.
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

    /// Paid, and it is open what for.
    var isUndecided: Bool {
        payment.verdict == nil && payment.status == .paid && payment.balance.unallocated > 0
    }

    /// What has gone back of it.
    var cancelled: Int64 { payment.balance.cancelled }

    /// What the order comes to be by what has become of the payment; nil when it stays as it is.
    var nextState: Order.State? {
        guard payment.verdict == .confirmed, let order else { return nil }
        let state = payment.balance.sold > 0 ? Order.State.paid : .refunded
        return order.state == state ? nil : state
    }

    /// Takes what PortOne tells.
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

    /// Lets the payment pay for its order, or sends it back.
    mutating func decide(_ verdict: Verdict, at now: Date) {
        payment.verdict = verdict
        payment.decidedAt = now
        payment.order = order?.id
        note("decided", verdict.rawValue)
        guard verdict != .confirmed else { return move(.sale) { $0.sell() } }
        owe(payment.balance.unallocated, because: verdict.reason, key: nil)
    }

    /// So much is to go back.
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
        guard !entries.isEmpty else { return }
        movements.append(Movement(kind: kind, entries: Dictionary(uniqueKeysWithValues: entries.map { ($0, $1) })))
    }

    private mutating func note(_ action: String, _ detail: String) {
        notes.append(Note(action: action, detail: detail))
    }
}

/// Money that is to go back.
struct RefundDraft: Sendable, Equatable {
    /// In the smallest unit of the payment's currency.
    var amount: Int64
    /// What the payer is told.
    var reason: String
    /// What its requester calls it, so that it is made once.
    var key: String?
}
