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
        try await transaction.run(statements(state, order))
        try await notifyCommunity(state, order, in: transaction)
    }

    /// The update and the events, except the one for community, which depends on the user's other orders.
    func statements(_ state: Order.State, _ order: Order) throws -> [Statement<Int>] {
        try [orders.change(order.id, to: state, at: now)] + tellEstate(state, order) + tellPayer(state, order)
    }

    /// The order after the change.
    func changed(_ order: Order, to state: Order.State) -> Order {
        var order = order
        (order.state, order.updatedAt) = (state, now)
        if state == .paid { order.paidAt = order.paidAt ?? now }
        return order
    }

    /// Publishes that an order holds its listing.
    func hold(_ order: Order, until end: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.run(estateNews(.held(until: end), order))
    }

    private func tellEstate(_ state: Order.State, _ order: Order) throws -> [Statement<Int>] {
        // No hold was published for an order that was not registered with PortOne.
        guard order.app == .anlaka, order.preparedAt != nil else { return [] }
        return try estateNews(state == .paid ? .paid : .released, order)
    }

    private func estateNews(_ state: PaymentsEvents.ReservationChanged.State, _ order: Order) throws -> [Statement<Int>]
    {
        let event = PaymentsEvents.ReservationChanged(
            listing: order.subject,
            account: order.account,
            order: order.code,
            state: state
        )
        return try outbox.publication(of: [event])
    }

    private func tellPayer(_ state: Order.State, _ order: Order) throws -> [Statement<Int>] {
        guard let outcome = PaymentsEvents.OrderSettled.Outcome(state) else { return [] }
        let settled = PaymentsEvents.OrderSettled(
            app: order.app,
            account: order.account,
            order: order.code,
            name: order.name,
            amount: order.amount,
            outcome: outcome
        )
        return try outbox.publication(of: [settled])
    }

    /// A user is a buyer of a post as long as any of their orders for it is paid.
    func notifyCommunity(_ state: Order.State, _ order: Order, in transaction: PostgresTransaction) async throws {
        guard order.app == .culture, state == .paid || state == .refunded else { return }
        try await orders.lockPurchases(of: order.account, for: order.subject, in: transaction)
        let isPaid = try await orders.hasPaid(order.account, for: order.subject, in: transaction)
        let event = PaymentsEvents.PurchaseChanged(post: order.subject, account: order.account, isPaid: isPaid)
        try await outbox.publish(event, in: transaction)
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
