/// Orders and payments at the end of a run, with what phones were answered of them. Amounts are in the smallest unit of one
/// currency.
package struct PaymentHistory: Sendable {
    package var orders: [OrderRow] = []
    package var payments: [PaymentRow] = []
    /// What the provider has recorded by itself.
    package var provider: [ProviderPayment] = []
    /// What phones were answered when they presented a payment for an order.
    package var purchases: [PurchaseAct] = []
    /// What phones were shown as paid.
    package var shown: [ShownOrder] = []
    /// Webhooks that did not come from the provider.
    package var forgeries: [ForgedWebhook] = []
    /// The time at which the tables were read.
    package var at: Moment

    package init(at: Moment) { self.at = at }
}

package struct OrderRow: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        case open, paid, expired, refunded
    }

    package var code: String
    package var amount: Int64
    package var state: State

    package init(_ code: String, amount: Int64, _ state: State) {
        (self.code, self.amount, self.state) = (code, amount, state)
    }
}

/// A payment in the service's table.
package struct PaymentRow: Sendable, Hashable {
    /// The provider's id.
    package var id: String
    /// The order's code; nil while it is assigned to none.
    package var order: String?
    package var paid: Int64
    package var cancelled: Int64
    /// To be given back.
    package var due: Int64
    /// Counted for the order.
    package var sold: Int64
    /// The amounts of the finished rows of the table of refunds.
    package var refunds: [Int64] = []

    package init(_ id: String, order: String?, paid: Int64, cancelled: Int64 = 0, due: Int64 = 0, sold: Int64 = 0) {
        (self.id, self.order, self.paid) = (id, order, paid)
        (self.cancelled, self.due, self.sold) = (cancelled, due, sold)
    }
}

/// A payment as the provider has recorded it.
package struct ProviderPayment: Sendable, Hashable {
    package struct Cancellation: Sendable, Hashable {
        package var amount: Int64
        package var at: Moment
        /// Whether it was made at the provider, not by the service.
        package var isForeign: Bool

        package init(_ amount: Int64, at: Moment, isForeign: Bool = false) {
            (self.amount, self.at, self.isForeign) = (amount, at, isForeign)
        }
    }

    package var id: String
    /// The code of the order that it is for.
    package var order: String
    /// 0 when it was not paid.
    package var paid: Int64
    package var at: Moment
    package var cancellations: [Cancellation] = []

    package init(_ id: String, order: String, paid: Int64, at: Moment, cancellations: [Cancellation] = []) {
        (self.id, self.order, self.paid, self.at) = (id, order, paid, at)
        self.cancellations = cancellations
    }
}

/// A phone presented a payment for an order; `done` is the answer that the order is paid.
package struct PurchaseAct: Sendable, Hashable {
    package var attempt: Attempt
    package var order: String

    package init(_ attempt: Attempt, order: String) { (self.attempt, self.order) = (attempt, order) }
}

/// A phone was shown an order as paid.
package struct ShownOrder: Sendable, Hashable {
    package var attempt: Attempt
    package var order: String

    package init(_ attempt: Attempt, order: String) { (self.attempt, self.order) = (attempt, order) }
}

/// A webhook in the provider's name, which says that a payment has paid for an order.
package struct ForgedWebhook: Sendable, Hashable {
    package var attempt: Attempt
    /// The provider's id of a payment, invented or of another order.
    package var payment: String
    package var order: String

    package init(_ attempt: Attempt, payment: String, order: String) {
        (self.attempt, self.payment, self.order) = (attempt, payment, order)
    }
}
