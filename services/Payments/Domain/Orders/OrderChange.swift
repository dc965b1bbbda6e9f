import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// Brings an order, which is locked, into another state, and tells whoever has to know.
struct OrderChange: Sendable {
    let outbox: Outbox
    let now: Date
    private let orders = OrderStore()

    init(outbox: Outbox, now: Date) {
        self.outbox = outbox
        self.now = now
    }

    func apply(_ state: Order.State, to order: Order, in transaction: PostgresTransaction) async throws {
        _ = try await transaction.run(orders.change(order.id, to: state, at: now))
        switch order.app {
        case .anlaka: try await tellEstate(state, order, in: transaction)
        case .culture: try await tellCommunity(state, order, in: transaction)
        default: break
        }
        guard let outcome = PaymentsEvents.OrderSettled.Outcome(state) else { return }
        let settled = PaymentsEvents.OrderSettled(
            app: order.app,
            account: order.account,
            order: order.code,
            name: order.name,
            amount: order.amount,
            outcome: outcome
        )
        try await outbox.publish(settled, in: transaction)
    }

    /// Tells that an order holds its listing.
    func hold(_ order: Order, until end: Date, in transaction: PostgresTransaction) async throws {
        try await tellEstate(.held(until: end), order, in: transaction)
    }

    private func tellEstate(_ state: Order.State, _ order: Order, in transaction: PostgresTransaction) async throws {
        // Before PortOne had taken note of an order, nobody was told that it holds anything.
        guard order.preparedAt != nil else { return }
        try await tellEstate(state == .paid ? .paid : .released, order, in: transaction)
    }

    private func tellEstate(
        _ state: PaymentsEvents.ReservationChanged.State,
        _ order: Order,
        in transaction: PostgresTransaction
    ) async throws {
        let event = PaymentsEvents.ReservationChanged(
            listing: order.subject,
            account: order.account,
            order: order.code,
            state: state
        )
        try await outbox.publish(event, in: transaction)
    }

    /// Somebody is a buyer for as long as any of their orders for the post is paid.
    private func tellCommunity(_ state: Order.State, _ order: Order, in transaction: PostgresTransaction) async throws {
        guard state == .paid || state == .refunded else { return }
        try await orders.lockPurchases(of: order.account, for: order.subject, in: transaction)
        let isPaid = try await orders.hasPaid(order.account, for: order.subject, in: transaction)
        let event = PaymentsEvents.PurchaseChanged(post: order.subject, account: order.account, isPaid: isPaid)
        try await outbox.publish(event, in: transaction)
    }
}

extension PaymentsEvents.OrderSettled.Outcome {
    /// nil for what nobody is told of.
    fileprivate init?(_ state: Order.State) {
        switch state {
        case .paid: self = .paid
        case .refunded: self = .refunded
        case .open, .expired: return nil
        }
    }
}
