import Contracts
import Events
import FoundationEssentials
import Postgres

/// Changes the state of a locked order and publishes the events.
struct OrderChange: Sendable {
    let outbox: Outbox
    let now: Date
    private let orders = OrderStore()

    func apply(_ state: Order.State, to order: Order, in transaction: PostgresTransaction) async throws {
        try transaction.enqueue([orders.change(order.id, to: state, at: now)])
        try outbox.publish(reservationChange(state, order), in: transaction)
        try outbox.publish(settlement(state, order), in: transaction)
        try await notifyCommunity(state, order, in: transaction)
    }

    /// The order after the change.
    func changed(_ order: Order, to state: Order.State) -> Order {
        var order = order
        (order.state, order.updatedAt) = (state, now)
        if state == .paid { order.paidAt = order.paidAt ?? now }
        return order
    }

    /// Publishes that an order holds its listing.
    func hold(_ order: Order, until end: Date, in transaction: PostgresTransaction) throws {
        try outbox.publish(reservation(.held(until: end), order), in: transaction)
    }

    /// For Estate; none for an order that was not registered with PortOne, since no hold of it was published.
    private func reservationChange(_ state: Order.State, _ order: Order) -> [PaymentsEvents.ReservationChanged] {
        guard order.app == .anlaka, order.preparedAt != nil else { return [] }
        return [reservation(state == .paid ? .paid : .released, order)]
    }

    private func reservation(
        _ state: PaymentsEvents.ReservationChanged.State,
        _ order: Order
    ) -> PaymentsEvents.ReservationChanged {
        PaymentsEvents.ReservationChanged(
            listing: order.subject,
            account: order.account,
            order: order.code,
            state: state
        )
    }

    /// For the payer's notifications.
    private func settlement(_ state: Order.State, _ order: Order) -> [PaymentsEvents.OrderSettled] {
        guard let outcome = PaymentsEvents.OrderSettled.Outcome(state) else { return [] }
        let settled = PaymentsEvents.OrderSettled(
            app: order.app,
            account: order.account,
            order: order.code,
            name: order.name,
            amount: order.amount,
            outcome: outcome
        )
        return [settled]
    }

    /// A user is a buyer of a post as long as any of their orders for it is paid.
    private func notifyCommunity(_ state: Order.State, _ order: Order, in transaction: PostgresTransaction) async throws
    {
        guard order.app == .culture, state == .paid || state == .refunded else { return }
        try await orders.lockPurchases(of: order.account, for: order.subject, in: transaction)
        let isPaid = try await orders.hasPaid(order.account, for: order.subject, in: transaction)
        let event = PaymentsEvents.PurchaseChanged(post: order.subject, account: order.account, isPaid: isPaid)
        try outbox.publish(event, in: transaction)
    }
}

extension PaymentsEvents.OrderSettled.Outcome {
    /// nil for states without an event.
    fileprivate init?(_ state: Order.State) {
        switch state {
        case .paid: self = .paid
        case .refunded: self = .refunded
        case .open, .expired: return nil
        }
    }
}
