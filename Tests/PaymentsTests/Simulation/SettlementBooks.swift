import Contracts
import FoundationEssentials
import TestKit

@testable import Payments

/// The database of the service, and its transactions: production code decides, this stores. Every transaction is one step
/// of the simulation.
struct SettlementBooks: Sendable {
    struct Row: Sendable {
        var payment: Payment
        var ledger: [LedgerAccount: Int64] = [:]
        /// The sum of all refunds.
        var owed: Int64 = 0
    }

    struct OrderRow: Sendable {
        var order: Order
        /// When it is checked for payments.
        var checkAt: Date?
    }

    struct RefundRow: Sendable {
        var refund: Refund
        var dueAt: Date
    }

    static let price: Int64 = 1_000
    static let hold: TimeInterval = 900
    static let pause: TimeInterval = 60
    static let lease: TimeInterval = 60

    private(set) var orders: [OrderRow] = []
    private(set) var payments: [ImpUID: Row] = [:]
    /// Those that are not done.
    private(set) var refunds: [RefundRow] = []
    private var refundCount: Int64 = 0
    let defect: SettlementModel.Defect?

    init(defect: SettlementModel.Defect?) {
        self.defect = defect
    }

    // MARK: Orders

    mutating func order(at now: Date) {
        let order = Order(
            id: OrderID(rawValue: Int64(orders.count + 1)),
            publicID: PublicID(unchecked: String(repeating: "0", count: 24)),
            app: .anlaka,
            code: "order \(orders.count + 1)",
            account: 1,
            subject: PublicID(unchecked: String(repeating: "1", count: 24)),
            name: "원룸",
            amount: Self.price,
            heldUntil: now + Self.hold,
            preparedAt: now,
            createdAt: now,
            updatedAt: now
        )
        orders.append(OrderRow(order: order, checkAt: now + Self.pause))
    }

    func order(code: String) -> Int? {
        Int(code.dropFirst("order ".count)).map { $0 - 1 }.flatMap { orders.indices.contains($0) ? $0 : nil }
    }

    /// Orders whose check is due, reserved for the caller.
    mutating func takeDueOrders(at now: Date) -> [Order] {
        var due: [Order] = []
        for index in orders.indices where orders[index].checkAt.map({ $0 <= now }) ?? false {
            orders[index].checkAt = now + Self.lease
            due.append(orders[index].order)
        }
        return due
    }

    /// The end of `OrderPolling.check`.
    mutating func checked(_ code: String, askedAt: Date, givingUp: Bool, at now: Date) {
        guard let index = order(code: code) else { return }
        let order = orders[index].order
        let isOver = order.isOver(at: askedAt, givingUp: givingUp)
        if order.state == .open, isOver { orders[index].order.state = .expired }
        orders[index].checkAt = order.nextCheck(isOver: isOver, pause: Self.pause, at: now)
    }

    // MARK: Payments

    /// As `PaymentProcessor.settle`.
    mutating func settle(_ report: PaymentReport, at now: Date, _ effects: inout Effects<SettlementModel>)
        -> BrokenPromise?
    {
        let payment = payments[report.impUID]?.payment ?? Payment(inserted: report, at: now)
        guard payment.fits(report) else { return nil }
        let index = order(code: report.merchantUID)
        var changes = PaymentChanges(payment: payment, order: index.map { orders[$0].order })
        if defect == .ignoresOtherPayments { changes.order?.state = .open }
        changes.settle(report, takesTests: false, at: now)
        return write(changes, was: payment, index, at: now, &effects)
    }

    /// As `PaymentProcessor.refund`.
    mutating func refund(_ impUID: ImpUID, percent: Int64, at now: Date, _ effects: inout Effects<SettlementModel>)
        -> BrokenPromise?
    {
        guard let payment = payments[impUID]?.payment, let index = order(code: payment.merchantUID),
            let amount = try? payment.refundable(percent == 100 ? nil : payment.balance.paid * percent / 100)
        else { return nil }
        var changes = PaymentChanges(payment: payment, order: orders[index].order)
        changes.owe(amount, because: "operator", key: nil)
        return write(changes, was: payment, index, at: now, &effects)
    }

    /// As `PaymentProcessor.write`.
    private mutating func write(
        _ changes: PaymentChanges,
        was old: Payment,
        _ index: Int?,
        at now: Date,
        _ effects: inout Effects<SettlementModel>
    ) -> BrokenPromise? {
        var row = payments[old.impUID] ?? Row(payment: old)
        row.payment = changes.payment
        for entry in changes.movements.flatMap(\.entries) { row.ledger[entry.key, default: 0] += entry.value }
        for draft in changes.refunds {
            row.owed += draft.amount
            refundCount += 1
            let refund = Refund(
                id: RefundID(rawValue: refundCount),
                impUID: old.impUID,
                amount: draft.amount,
                reason: draft.reason,
                attempts: 0
            )
            refunds.append(RefundRow(refund: refund, dueAt: now))
        }
        payments[old.impUID] = row
        if let index, let state = changes.nextState { orders[index].order.state = state }
        if row.payment.balance.due == 0, old.balance.due > 0 {
            refunds.removeAll { $0.refund.impUID == old.impUID }
        }
        for note in changes.notes { effects.note("\(note.action) \(note.detail)") }
        return row.broken
    }

    // MARK: Refunds

    /// As `RefundStore.takeDue`: the first of each payment.
    mutating func takeDueRefunds(at now: Date) -> [Refund] {
        var seen: Set<ImpUID> = []
        var due: [Refund] = []
        for index in refunds.indices where seen.insert(refunds[index].refund.impUID).inserted {
            guard refunds[index].dueAt <= now else { continue }
            refunds[index].dueAt = now + Self.lease
            refunds[index].refund.attempts += 1
            due.append(refunds[index].refund)
        }
        return due
    }

    mutating func finish(_ refund: Refund) {
        refunds.removeAll { $0.refund.id == refund.id }
    }

    mutating func putOff(_ refund: Refund, until instant: Date) {
        guard let index = refunds.firstIndex(where: { $0.refund.id == refund.id }) else { return }
        refunds[index].dueAt = instant
    }
}

extension Payment {
    /// As `PaymentStore.insertIfNew` stores it.
    fileprivate init(inserted report: PaymentReport, at now: Date) {
        self.init(report, at: now, publicID: PublicID(unchecked: String(repeating: "2", count: 24)))
        (status, paidAt) = (.ready, nil)
    }
}

extension SettlementBooks.Row {
    /// The promises of one payment's money.
    fileprivate var broken: BrokenPromise? {
        let balance = payment.balance
        let parts = [balance.paid, balance.cancelled, balance.due, balance.sold, balance.unallocated]
        guard parts.allSatisfy({ $0 >= 0 }) else { return BrokenPromise("no amount is negative", "\(balance)") }
        let accounts: [(LedgerAccount, Int64)] = [
            (.clearing, balance.held), (.unallocated, -balance.unallocated), (.sales, -balance.sold),
            (.refunds, -balance.due),
        ]
        guard accounts.allSatisfy({ ledger[$0.0, default: 0] == $0.1 }) else {
            return BrokenPromise("the ledger is the balance", "\(balance)")
        }
        return nil
    }
}
