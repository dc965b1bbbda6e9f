import Contracts
import FoundationEssentials

/// A payment as stored.
struct Payment: Sendable, Equatable {
    var impUID: ImpUID
    var publicID: PublicID
    var merchantUID: String
    /// The order of the payment; nil while it is not assigned.
    var order: OrderID?
    var status: PaymentReport.Status
    /// The requested amount.
    var money: Money
    var balance = Balance()
    var paidAt: Date?
    /// nil while it is undecided whether the payment pays for its order.
    var verdict: PaymentVerification?
    var decidedAt: Date?
    var receipt: Receipt
    var createdAt: Date

    /// A new payment.
    init(_ report: PaymentReport, at now: Date, publicID: PublicID) {
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
        impUID: ImpUID,
        publicID: PublicID,
        merchantUID: String,
        order: OrderID?,
        status: PaymentReport.Status,
        money: Money,
        balance: Balance,
        paidAt: Date?,
        verdict: PaymentVerification?,
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

    /// Whether a report can belong to this payment: the order code never changes, and the currency not after money was
    /// booked.
    func fits(_ report: PaymentReport) -> Bool {
        merchantUID == report.merchantUID
            && (money.currency == report.money.currency || (verdict == nil && balance == Balance()))
    }

    /// Applies PortOne's report, unless it is older than the stored state: reports may overtake each other.
    mutating func see(_ report: PaymentReport) {
        let isOlder =
            status.stage > report.status.stage
            || (status == report.status && balance.cancelled > report.cancelled)
        guard !isOlder else { return }
        status = report.status
        // A new attempt may have another amount; a decided payment keeps its own.
        if verdict == nil { money = report.money }
        paidAt = paidAt ?? report.paidAt
        receipt = report.receipt
    }

    /// The amount of a refund of what was allocated to the order.
    ///
    /// - Parameter amount: In the smallest unit; nil for the whole rest.
    /// - Throws: `PaymentsError.notRefundable`.
    func refundable(_ amount: Int64?) throws(PaymentsError) -> Int64 {
        let amount = amount ?? balance.sold
        guard balance.sold > 0 else {
            throw .notRefundable("imp_uid must be of a payment of which something is left.")
        }
        guard amount > 0, amount <= balance.sold else {
            throw .notRefundable("amount must be from 1 to \(balance.sold).")
        }
        return amount
    }

    /// The error for the client when the payment does not count for its order.
    var refusal: PaymentsError? {
        switch verdict {
        case .confirmed: balance.sold > 0 ? nil : .paymentReturned
        case .some(let verdict): .rejected(verdict)
        case nil: .unpaid(status)
        }
    }
}

extension PaymentReport.Status {
    /// Statuses only move forward. A failed attempt may still be paid in the same window.
    fileprivate var stage: Int {
        switch self {
        case .ready: 0
        case .failed: 1
        case .paid: 2
        case .cancelled: 3
        }
    }
}
