import Contracts
import FoundationEssentials
import Postgres

/// What operators see of orders and their money.
struct OrderLookup: Sendable {
    let database: PostgresClient
    private let store = OperatorOrderStore()
    private let payments = PaymentStore()

    private static let limit = 50
    /// The number of newest orders among which those of a state are looked for.
    private static let depth = 2_000
    private static let longestText = 200

    init(database: PostgresClient) { self.database = database }

    /// The order that a text names; otherwise its payment, if it belongs to none.
    func find(_ text: String) async throws -> OperatorsAPI.Orders {
        guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0) else {
            return OperatorsAPI.Orders(orders: [], payments: [])
        }
        let orders = try await store.find(text, limit: Self.limit, in: database)
        let impUID = orders.isEmpty ? ImpUID(rawValue: text) : nil
        let payment = if let impUID { try await payments.find(impUID, in: database) } else { Payment?.none }
        return OperatorsAPI.Orders(
            orders: orders.map(OperatorsAPI.Order.init),
            payments: payment.map { [OperatorsAPI.OrderDetails.Payment($0)] } ?? []
        )
    }

    /// The newest orders.
    func newest(_ state: Order.State?, of account: AccountID?) async throws -> OperatorsAPI.Orders {
        let orders = try await store.newest(
            state,
            of: account,
            depth: Self.depth,
            limit: Self.limit,
            in: database
        )
        return OperatorsAPI.Orders(orders: orders.map(OperatorsAPI.Order.init), payments: [])
    }

    /// An order with all that belongs to it.
    ///
    /// - Throws: `PaymentsError.orderNotFound`.
    func details(of id: OrderID) async throws -> OperatorsAPI.OrderDetails {
        guard let order = try await store.order(id, in: database) else { throw PaymentsError.orderNotFound }
        let payments = try await store.payments(of: order, limit: Self.limit, in: database)
        let ids = payments.map(\.impUID)
        async let refunds = store.refunds(of: ids, limit: 2 * Self.limit, in: database)
        async let ledger = store.ledger(of: ids, limit: 8 * Self.limit, in: database)
        async let audit = store.audit(of: order, ids, limit: 4 * Self.limit, in: database)
        async let webhooks = store.webhooks(of: ids, limit: Self.limit, in: database)
        return OperatorsAPI.OrderDetails(
            order: OperatorsAPI.Order(order),
            payments: payments.map(OperatorsAPI.OrderDetails.Payment.init),
            refunds: try await refunds,
            ledger: try await ledger,
            audit: try await audit,
            webhooks: try await webhooks
        )
    }

    /// The refunds that PortOne has not made yet.
    func pendingRefunds() async throws -> OperatorsAPI.Refunds {
        OperatorsAPI.Refunds(refunds: try await store.pendingRefunds(limit: Self.limit, in: database))
    }
}

extension OperatorsAPI.Order {
    fileprivate init(_ order: Order) {
        self.init(
            id: order.id.rawValue,
            app: order.app,
            code: order.shownCode,
            account: order.account,
            name: order.name,
            amount: order.amount,
            state: order.state.rawValue,
            createdAt: order.createdAt.timeIntervalSince1970,
            preparedAt: order.preparedAt?.timeIntervalSince1970,
            heldUntil: order.heldUntil.timeIntervalSince1970,
            paidAt: order.paidAt?.timeIntervalSince1970,
            updatedAt: order.updatedAt.timeIntervalSince1970
        )
    }
}

extension OperatorsAPI.OrderDetails.Payment {
    fileprivate init(_ payment: Payment) {
        self.init(
            impUID: payment.impUID.rawValue,
            status: payment.status.rawValue,
            currency: payment.money.currency,
            amount: payment.money.amount,
            paid: payment.balance.paid,
            cancelled: payment.balance.cancelled,
            due: payment.balance.due,
            sold: payment.balance.sold,
            verdict: payment.verdict?.rawValue,
            createdAt: payment.createdAt.timeIntervalSince1970,
            paidAt: payment.paidAt?.timeIntervalSince1970,
            decidedAt: payment.decidedAt?.timeIntervalSince1970
        )
    }
}
