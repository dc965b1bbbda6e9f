import TestKit

@testable import Payments

/// What the payments service promises about money.
enum SettlementPromises {
    /// After a refund at PortOne.
    static func refunds(of impUID: ImpUID, _ books: SettlementBooks, _ portOne: SimulatedPortOne) -> BrokenPromise? {
        guard let row = portOne.rows[impUID] else { return nil }
        let owed = books.payments[impUID]?.owed ?? 0
        guard row.byService > owed else { return nil }
        return BrokenPromise("no refund is made twice", "\(row.byService) of \(impUID) instead of \(owed)")
    }

    /// When PortOne and the service had time enough.
    static func atEnd(_ books: SettlementBooks, _ portOne: SimulatedPortOne, givenUp: Set<String>) -> BrokenPromise? {
        if let refund = books.refunds.first { return BrokenPromise("every refund is made", "\(refund.refund)") }
        for impUID in portOne.list {
            let differences = differences(of: impUID, books, portOne)
            if !differences.isEmpty { return BrokenPromise("the books are PortOne's", "\(differences)") }
            guard let row = portOne.rows[impUID], let payment = books.payments[impUID]?.payment else { continue }
            if let broken = end(of: payment, row, books) { return broken }
        }
        return books.orders.lazy.compactMap { end(of: $0.order, books, portOne, givenUp) }.first
    }

    /// The payments of which the service knows another state than PortOne.
    static func differing(_ books: SettlementBooks, _ portOne: SimulatedPortOne) -> [ImpUID] {
        portOne.list.filter { !differences(of: $0, books, portOne).isEmpty }
    }

    private static func differences(
        of impUID: ImpUID,
        _ books: SettlementBooks,
        _ portOne: SimulatedPortOne
    ) -> [Difference] {
        guard let report = portOne.rows[impUID]?.report else { return [] }
        return Difference.all(between: books.payments[impUID]?.payment, and: report, hasOrder: true)
    }

    private static func end(of payment: Payment, _ row: SimulatedPortOne.Row, _ books: SettlementBooks)
        -> BrokenPromise?
    {
        let balance = payment.balance
        guard row.report.paid > 0 else { return nil }
        if payment.verdict != .confirmed, row.report.held.amount > 0 {
            return BrokenPromise(
                "what pays for nothing is given back",
                "\(payment.impUID) holds \(row.report.held.amount)"
            )
        }
        let owed = books.payments[payment.impUID]?.owed ?? 0
        guard balance.due == 0, balance.sold == row.report.held.amount, row.byService + row.atConsole >= owed else {
            return BrokenPromise("every due is given back", "\(payment.impUID): \(balance), due \(owed)")
        }
        return nil
    }

    private static func end(
        of order: Order,
        _ books: SettlementBooks,
        _ portOne: SimulatedPortOne,
        _ givenUp: Set<String>
    ) -> BrokenPromise? {
        let payments = books.payments.values.map(\.payment).filter { $0.order == order.id }
        let confirmed = payments.filter { $0.verdict == .confirmed }
        guard confirmed.count <= 1 else { return BrokenPromise("an order is paid once", "\(order.code)") }
        let state = confirmed.first.map { $0.balance.sold > 0 ? Order.State.paid : .refunded } ?? .expired
        guard order.state == state else { return BrokenPromise("the order's state is its payment's", "\(order.code)") }
        let inTime = payments.contains { payment in
            guard let row = portOne.rows[payment.impUID], let paidAt = row.report.paidAt else { return false }
            return paidAt <= order.heldUntil && row.report.money.amount == order.amount && row.atConsole == 0
        }
        guard inTime, confirmed.isEmpty, !givenUp.contains(order.code) else { return nil }
        return BrokenPromise("what is paid in time counts", "\(order.code) is \(order.state.rawValue)")
    }
}
