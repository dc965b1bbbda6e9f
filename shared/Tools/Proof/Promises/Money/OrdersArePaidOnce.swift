/// An order is paid at most once, and money that pays for none is given back exactly once.
///
/// Assumes that the tables and the provider's record were read after all refunds that were due had been tried with a
/// provider that answers, and that an order has no partial refunds but those of its payments' `cancelled`.
///
/// Checks that each payment of the table has the amounts of the provider's record and each paid payment of the provider is
/// in the table; that the cancellations which the service made are the refunds of its table, and nothing is due any more;
/// that a paid order is paid by one payment and by its amount, as far as it was not given back; that the provider holds
/// nothing for an order that is open, expired or refunded; that an order of which a phone was answered that it is paid is
/// paid or refunded; and that the provider has taken money for each order that a phone was shown as paid, whatever
/// webhooks say.
package enum OrdersArePaidOnce {
    package static let promise = "Every order is paid at most once, and given back at most once."

    package static func check(_ history: PaymentHistory) -> Finding {
        let check = Check(history)
        let violations =
            history.payments.compactMap(check.violation) + history.provider.compactMap(check.missing)
            + history.orders.compactMap(check.violation) + history.purchases.compactMap(check.violation)
            + check.unpaid()
        return Finding(promise, checked: history.orders.count + history.provider.count, violations: violations)
    }

    private struct Check {
        let history: PaymentHistory
        let provider: [String: ProviderPayment]
        let ids: Set<String>
        let payments: [String: [PaymentRow]]
        let held: [String: [ProviderPayment]]
        let purchases: [String: [PurchaseAct]]
        let states: [String: OrderRow.State]

        init(_ history: PaymentHistory) {
            self.history = history
            provider = Dictionary(history.provider.map { ($0.id, $0) }) { first, _ in first }
            ids = Set(history.payments.map(\.id))
            payments = Dictionary(grouping: history.payments) { $0.order ?? "" }
            held = Dictionary(grouping: history.provider.filter { $0.held > 0 }, by: \.order)
            purchases = Dictionary(grouping: history.purchases, by: \.order)
            states = Dictionary(history.orders.map { ($0.code, $0.state) }) { first, _ in first }
        }

        /// A payment that differs from the provider's record.
        func violation(_ row: PaymentRow) -> Violation? {
            guard let record = provider[row.id] else {
                guard row.paid != 0 else { return nil }
                return Violation(
                    "Payment \(row.id) of \(row.paid) is in the table, but the provider has none.",
                    story: forgeries(of: row.order ?? "") + [step(row)]
                )
            }
            let story = steps(record) + [step(row)]
            guard row.paid == record.paid, row.cancelled == record.cancelled else {
                let (table, other) = ("\(row.paid) - \(row.cancelled)", "\(record.paid) - \(record.cancelled)")
                return Violation(
                    "Payment \(row.id) is \(table) in the table, but \(other) at the provider.",
                    story: story
                )
            }
            guard record.cancelled <= record.paid else {
                return Violation(
                    "Of payment \(row.id), \(record.cancelled) was given back, of \(record.paid).",
                    story: story
                )
            }
            let made = record.cancellations.filter { !$0.isForeign }.map(\.amount)
            guard row.refunds.reduce(0, +) >= made.reduce(0, +), made.count <= row.refunds.count else {
                return Violation(
                    "Payment \(row.id) was given back \(made.count) times, for \(row.refunds.count) refunds.",
                    story: story
                )
            }
            guard row.due == 0 else {
                return Violation("Of payment \(row.id), \(row.due) was never given back.", story: story)
            }
            return nil
        }

        /// Money at the provider that the service does not know.
        func missing(_ record: ProviderPayment) -> Violation? {
            guard record.held > 0, !ids.contains(record.id) else { return nil }
            return Violation(
                "The provider holds \(record.held) for order \(record.order) by payment \(record.id), unknown to the table.",
                story: story(of: record.order)
            )
        }

        func violation(_ order: OrderRow) -> Violation? {
            let counted = (payments[order.code] ?? []).filter { $0.sold > 0 }
            let held = held[order.code] ?? []
            let sum = held.reduce(0) { $0 + $1.held }
            guard counted.count <= 1, held.count <= 1 else {
                return Violation(
                    "Order \(order.code) was paid \(max(counted.count, held.count)) times.",
                    story: story(of: order.code)
                )
            }
            guard order.state == .paid else {
                guard sum > 0 else { return nil }
                return Violation(
                    "Order \(order.code) is \(order.state.rawValue), but the provider holds \(sum) for it.",
                    story: story(of: order.code)
                )
            }
            guard let payment = counted.first, let record = held.first, payment.id == record.id else {
                return Violation(
                    "Order \(order.code) is paid, but the provider holds nothing for it.",
                    story: story(of: order.code)
                )
            }
            guard record.paid == order.amount, payment.sold == record.held else {
                return Violation(
                    "Order \(order.code) of \(order.amount) is paid with \(payment.sold) of \(record.paid).",
                    story: story(of: order.code)
                )
            }
            return nil
        }

        /// An order of which a phone was answered that it is paid.
        func violation(_ purchase: PurchaseAct) -> Violation? {
            guard purchase.attempt.outcome.isDone else { return nil }
            switch states[purchase.order] {
            case .paid, .refunded:
                return nil
            case let state:
                let what = state.map { "is \($0.rawValue)" } ?? "is not there"
                return Violation(
                    "Order \(purchase.order) \(what), although \(purchase.attempt.phone) was answered that it is paid.",
                    story: story(of: purchase.order)
                )
            }
        }

        /// Orders that a phone was shown as paid, and for which the provider has taken nothing; each once.
        func unpaid() -> [Violation] {
            let paid = Set(history.provider.filter { $0.paid > 0 }.map(\.order))
            var named: Set<String> = []
            return history.shown.filter { !paid.contains($0.order) && named.insert($0.order).inserted }.map { shown in
                let step = shown.attempt.step("was shown order \(shown.order) as paid")
                return Violation(
                    "\(shown.attempt.phone) was shown order \(shown.order) as paid, for which the provider has taken nothing.",
                    story: story(of: shown.order) + [step]
                )
            }
        }

        private func story(of order: String) -> [Step] {
            (purchases[order] ?? []).map { $0.attempt.step("presented a payment for order \(order)") }
                + forgeries(of: order)
                + history.provider.filter { $0.order == order }.flatMap(steps) + (payments[order] ?? []).map(step)
        }

        private func forgeries(of order: String) -> [Step] {
            history.forgeries.filter { $0.order == order }.map { forgery in
                forgery.attempt.step("forged a webhook: payment \(forgery.payment) has paid for order \(order)")
            }
        }

        private func step(_ row: PaymentRow) -> Step {
            let amounts = "paid \(row.paid), cancelled \(row.cancelled), due \(row.due), sold \(row.sold)"
            let what = "has payment \(row.id) for order \(row.order ?? "none"): \(amounts)"
            return Step(at: history.at, phone: "table", what: what)
        }

        private func steps(_ record: ProviderPayment) -> [Step] {
            let taken = "took \(record.paid) as payment \(record.id) for order \(record.order)"
            return [Step(at: record.at, phone: "provider", what: taken)]
                + record.cancellations.map { cancellation in
                    let whose = cancellation.isForeign ? ", by itself" : ""
                    let what = "gave back \(cancellation.amount) of payment \(record.id)\(whose)"
                    return Step(at: cancellation.at, phone: "provider", what: what)
                }
        }
    }
}

extension ProviderPayment {
    fileprivate var cancelled: Int64 { cancellations.reduce(0) { $0 + $1.amount } }
    fileprivate var held: Int64 { paid - cancelled }
}
