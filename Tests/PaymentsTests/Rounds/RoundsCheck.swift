import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Payments

/// The final checks, after everything has settled.
struct RoundsCheck {
    let record: RoundsRecord
    let books: RoundsBooks
    let stubs: RoundStubs

    func check() {
        for report in books.reports where report.paid > 0 { check(report) }
        let confirmed = Dictionary(grouping: books.payments.values.filter { $0.verdict == "confirmed" }, by: \.order)
        for order in books.orders.values { check(order, confirmed[order.id]?.count ?? 0) }
        checkPurchases()
        for impUID in record.lasting {
            let payment = books.payments[impUID]
            fault(payment.map { $0.verdict == "confirmed" && $0.sold > 0 } != true, "\(impUID) is not confirmed")
        }
        for payment in books.payments.values {
            let isConfirmed = payment.verdict == "confirmed"
            fault(
                payment.confirmations != (isConfirmed ? 1 : 0),
                "the audit has \(payment.confirmations) confirmations of \(payment.impUID)"
            )
        }
        for defect in record.defects.prefix(20) { Issue.record("\(defect)") }
        #expect(record.defects.isEmpty)
    }

    private func fault(_ isThere: Bool, _ sentence: @autoclosure () -> String) {
        if isThere { record.defect(sentence()) }
    }

    /// A payment that PortOne has collected pays for one order or is refunded.
    private func check(_ report: PaymentReport) {
        let (impUID, held) = (report.impUID.rawValue, report.paid - report.cancelled)
        let elsewhere = record.cancelled(impUID)
        guard let payment = books.payments[impUID] else {
            return record.defect("the service does not know \(impUID) of \(report.merchantUID)")
        }
        fault(
            payment.cancelled != report.cancelled,
            "\(impUID) has \(report.cancelled) cancelled, not \(payment.cancelled)"
        )
        fault(payment.due != 0, "\(payment.due) of \(impUID) is still due")
        // The service cancelled no more than its refunds, and every refund was cancelled at PortOne.
        fault(report.cancelled - elsewhere > payment.refunds, "\(impUID) was cancelled without a refund")
        fault(payment.refunds > report.cancelled, "\(payment.refunds) of \(impUID) should be cancelled")
        fault(
            elsewhere == 0 && payment.refunds != report.cancelled,
            "the cancellations of \(impUID) differ from its refunds"
        )

        let order = books.orders[report.merchantUID]
        fault(payment.order != nil && payment.order != order?.id, "\(impUID) is bound to another order")
        if payment.verdict == "confirmed" {
            fault(payment.sold != held, "\(impUID) has \(payment.sold) sold, and PortOne holds \(held)")
            fault(
                order?.state != (held > 0 ? "paid" : "refunded"),
                "\(impUID) holds \(held): \(String(describing: order))"
            )
        } else {
            fault(held != 0, "PortOne still holds \(held) of \(impUID), which is \(payment.verdict ?? "undecided")")
        }
    }

    private func check(_ order: RoundsBooks.Order, _ payments: Int) {
        let expected = ["paid", "refunded"].contains(order.state) ? 1 : 0
        fault(payments != expected, "\(order.code) is \(order.state), and has \(payments) payments")
        guard order.app == "anlaka" else { return }
        switch stubs.reservations[order.code] {
        case nil: fault(order.isPrepared, "estate has no event of \(order.code)")
        case .paid: fault(order.state != "paid", "estate has \(order.code) as paid")
        case .released: fault(order.state == "paid", "estate has \(order.code) as released")
        case .held: record.defect("estate has \(order.code) as held")
        }
    }

    private func checkPurchases() {
        var paid: [RoundStubs.Purchase: Bool] = [:]
        for order in books.orders.values where order.app == "culture" && order.state != "expired" {
            let purchase = RoundStubs.Purchase(post: order.subject, account: order.account)
            paid[purchase] = paid[purchase] == true || order.state == "paid"
        }
        fault(paid != stubs.purchases, "community has \(stubs.purchases.count) purchases, and there are \(paid.count)")
    }
}
