import Proof
import Testing

struct OrdersArePaidOnceTests {
    /// One order that is paid, one that was paid twice and given back once, one that was refunded.
    private var history: PaymentHistory {
        var history = PaymentHistory(at: .seconds(100))
        history.orders = [
            OrderRow("A", amount: 100, .paid), OrderRow("B", amount: 200, .paid), OrderRow("C", amount: 300, .refunded),
            OrderRow("D", amount: 400, .open),
        ]
        history.payments = [
            PaymentRow("p1", order: "A", paid: 100, sold: 100), PaymentRow("p2", order: "B", paid: 200, sold: 200),
            row("p3", "B", 200), row("p4", "C", 300),
        ]
        history.provider = [
            ProviderPayment("p1", order: "A", paid: 100, at: .seconds(1)),
            ProviderPayment("p2", order: "B", paid: 200, at: .seconds(2)), taken("p3", "B", 200), taken("p4", "C", 300),
            ProviderPayment("p5", order: "D", paid: 0, at: .seconds(3)),
        ]
        history.purchases = [
            PurchaseAct(Attempt(1, 1, 2), order: "A"), PurchaseAct(Attempt(2, 3, 4, .lost), order: "D"),
            PurchaseAct(Attempt(3, 3, 4), order: "C"),
        ]
        return history
    }

    private func row(_ id: String, _ order: String, _ amount: Int64) -> PaymentRow {
        var row = PaymentRow(id, order: order, paid: amount, cancelled: amount)
        row.refunds = [amount]
        return row
    }

    private func taken(_ id: String, _ order: String, _ amount: Int64) -> ProviderPayment {
        let back = ProviderPayment.Cancellation(amount, at: .seconds(9))
        return ProviderPayment(id, order: order, paid: amount, at: .seconds(5), cancellations: [back])
    }

    private func sentences(_ change: (inout PaymentHistory) -> Void) -> [String] {
        var history = history
        change(&history)
        return OrdersArePaidOnce.check(history).sentences
    }

    @Test func ordersThatArePaidOnce_areKept() {
        let finding = OrdersArePaidOnce.check(history)
        #expect(finding.sentences == [])
        #expect(finding.checked == 9)
    }

    @Test func cancellationAtTheProvider_needsNoRefund() {
        let found = sentences { history in
            history.payments[3].refunds = []
            history.provider[3].cancellations = [.init(300, at: .seconds(9), isForeign: true)]
        }
        #expect(found == [])
    }

    @Test func secondPayment_isFound() {
        let found = sentences { history in
            history.provider[2].cancellations = []
            (history.payments[2].cancelled, history.payments[2].sold, history.payments[2].refunds) = (0, 200, [])
        }
        #expect(found == ["Order B was paid 2 times."])
    }

    @Test func secondRefund_isFound() {
        let found = sentences { history in
            history.provider[2].cancellations.append(.init(200, at: .seconds(10)))
            history.payments[2].cancelled = 400
        }
        #expect(found.first == "Of payment p3, 400 was given back, of 200.")
        let halves = sentences { history in
            history.provider[2].cancellations = [.init(100, at: .seconds(9)), .init(100, at: .seconds(10))]
        }
        #expect(halves == ["Payment p3 was given back 2 times, for 1 refunds."])
    }

    @Test func refundThatIsLeftOut_isFound() {
        let found = sentences { history in
            history.provider[3].cancellations = []
            (history.payments[3].cancelled, history.payments[3].due, history.payments[3].refunds) = (0, 300, [])
        }
        #expect(
            found == [
                "Of payment p4, 300 was never given back.", "Order C is refunded, but the provider holds 300 for it.",
            ]
        )
    }

    @Test func amountsThatDiffer_areFound() {
        #expect(
            sentences { $0.provider[0].paid = 90 }.first
                == "Payment p1 is 100 - 0 in the table, but 90 - 0 at the provider."
        )
        #expect(
            sentences { $0.orders[0].amount = 120 } == ["Order A of 120 is paid with 100 of 100."]
        )
    }

    @Test func moneyWithoutARecord_isFound() {
        let found = sentences { $0.provider[4].paid = 400 }
        #expect(
            found == [
                "The provider holds 400 for order D by payment p5, unknown to the table.",
                "Order D is open, but the provider holds 400 for it.",
            ]
        )
        #expect(
            sentences { $0.provider.remove(at: 0) }.first
                == "Payment p1 of 100 is in the table, but the provider has none."
        )
    }

    @Test func acknowledgedPurchase_isNotLost() {
        let violation = OrdersArePaidOnce.check(
            {
                var history = history
                history.purchases[1].attempt.outcome = .done
                return history
            }()
        ).violations.first
        #expect(violation?.sentence == "Order D is open, although phone 2 was answered that it is paid.")
        #expect(violation?.story.map(\.phone) == ["phone 2", "provider"])
    }

    @Test func paidOrders_mayBeShown_andForgedWebhooksPayForNone() {
        let found = sentences { history in
            history.shown = [ShownOrder(Attempt(1, 6, 7), order: "A"), ShownOrder(Attempt(1, 6, 7), order: "C")]
            history.forgeries = [ForgedWebhook(Attempt(2, 3, 4), payment: "p9", order: "D")]
        }
        #expect(found == [])
    }

    @Test func believedWebhook_isFound_inTheTable_andOnAPhone() {
        var history = history
        history.orders[3].state = .paid
        history.payments.append(PaymentRow("p9", order: "D", paid: 400, sold: 400))
        history.forgeries = [ForgedWebhook(Attempt(2, 3, 4), payment: "p9", order: "D")]
        history.shown = [
            ShownOrder(Attempt(2, 6, 7), order: "D"), ShownOrder(Attempt(2, 8, 9), order: "D"),
        ]
        let finding = OrdersArePaidOnce.check(history)
        #expect(
            finding.sentences == [
                "Payment p9 of 400 is in the table, but the provider has none.",
                "Order D is paid, but the provider holds nothing for it.",
                "phone 2 was shown order D as paid, for which the provider has taken nothing.",
            ]
        )
        #expect(finding.violations.first?.story.map(\.phone) == ["phone 2", "table"])
        let story = finding.violations.last?.story.map(\.what) ?? []
        #expect(story.contains { $0.hasPrefix("was shown order D as paid") }, "\(story)")
    }
}
