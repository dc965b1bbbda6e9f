import FoundationEssentials

/// A payment as we keep it.
struct Payment: Sendable, Equatable {
    var impUID: String
    /// 24 hexadecimal digits.
    var publicID: String
    var merchantUID: String
    /// The order that it is for; nil while nobody has said which.
    var order: Int64?
    var status: PaymentReport.Status
    /// What it is about.
    var money: Money
    var balance = Balance()
    var paidAt: Date?
    /// nil while it is open whether it pays for its order.
    var verdict: Verdict?
    var decidedAt: Date?
    var receipt: Receipt
    var createdAt: Date

    /// A payment of which nothing was known.
    init(_ report: PaymentReport, at now: Date, publicID: String) {
        impUID = report.impUID
        self.publicID = publicID
        merchantUID = report.merchantUID
        status = report.status
        money = report.money
        paidAt = report.paidAt
        receipt = report.receipt
        createdAt = now
    }

    init(
        impUID: String,
        publicID: String,
        merchantUID: String,
        order: Int64?,
        status: PaymentReport.Status,
        money: Money,
        balance: Balance,
        paidAt: Date?,
        verdict: Verdict?,
        decidedAt: Date?,
        receipt: Receipt,
        createdAt: Date
    ) {
        self.impUID = impUID
        self.publicID = publicID
        self.merchantUID = merchantUID
        self.order = order
        self.status = status
        self.money = money
        self.balance = balance
        self.paidAt = paidAt
        self.verdict = verdict
        self.decidedAt = decidedAt
        self.receipt = receipt
        self.createdAt = createdAt
    }

    /// Whether a report can be of this payment: it stays with its order, and what is in the books with its currency.
    func fits(_ report: PaymentReport) -> Bool {
        merchantUID == report.merchantUID
            && (money.currency == report.money.currency || (verdict == nil && balance == Balance()))
    }

    /// Takes what PortOne tells, unless it is older than what is known: reports may overtake each other.
    mutating func see(_ report: PaymentReport) {
        let isOlder =
            status.stage > report.status.stage
            || (status == report.status && balance.cancelled > report.cancelled)
        guard !isOlder else { return }
        status = report.status
        // A try may be begun anew with another amount; what is decided on is what it was.
        if verdict == nil { money = report.money }
        paidAt = paidAt ?? report.paidAt
        receipt = report.receipt
    }

    /// What whoever wants to have paid by it is told, when it does not.
    var refusal: PaymentsError? {
        switch verdict {
        case .confirmed: balance.sold > 0 ? nil : .paymentReturned
        case .some(let verdict): .rejected(verdict)
        case nil: .unpaid(status)
        }
    }
}

extension PaymentReport.Status {
    /// Statuses come in this order only. A failed attempt may still be paid in the same window.
    fileprivate var stage: Int {
        switch self {
        case .ready: 0
        case .failed: 1
        case .paid: 2
        case .cancelled: 3
        }
    }
}
