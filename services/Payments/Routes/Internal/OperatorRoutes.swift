import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The console's calls about orders and comparisons.
struct OperatorRoutes {
    let orders: OrderLookup
    let comparison: Reconciliation

    /// `GET /internal/operators/orders?find=TEXT`, or `?state=STATE&account=ACCOUNT` → 200, maybe with none; 400 for an
    /// unknown state.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        if let text = request.query("find") { return try .json(await orders.find(text)) }
        let state = try request.query("state").map { text in
            guard let state = Order.State(rawValue: text) else {
                throw Problem(.badParameter, message: "state must be open, paid, expired or refunded.")
            }
            return state
        }
        let account = try request.intQuery("account").map(AccountID.init(rawValue:))
        return try .json(await orders.newest(state, of: account))
    }

    /// `GET /internal/operators/orders/{id}` → 200; 404 for an unknown order.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let id = context.id("id") else { throw PaymentsError.orderNotFound }
        return try .json(await orders.details(of: OrderID(rawValue: id)))
    }

    /// `GET /internal/operators/refunds` → 200 with those that PortOne has not made yet.
    func refunds(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(await orders.pendingRefunds())
    }

    /// `GET /internal/operators/differences` → 200 with the newest comparisons.
    func differences(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let newest = try await comparison.newest()
        return try .json(OperatorsAPI.Comparisons(comparisons: newest.map(OperatorsAPI.Comparison.init)))
    }
}
