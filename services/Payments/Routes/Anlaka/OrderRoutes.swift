import AppWire
import Hummingbird
import Paging
import ServiceHost

/// Orders of Anlaka (contract 2.5, calls 35 and 36; giving up is ours).
struct OrderRoutes {
    let orders: Orders

    struct OrderRequest: Decodable {
        var estate: String
        /// Won. What it costs, the listing says; this must be the same.
        var price: Int64?

        enum CodingKeys: String, CodingKey {
            case estate = "estate_id"
            case price = "total_price"
        }
    }

    /// `POST /v1/orders` `{estate_id, total_price?}` → 200 with the order; 404 for an estate that is not there, 409 for one that
    /// is reserved.
    func place(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(OrderRequest.self, context)
        return try .json(OrderBody(await orders.place(body.estate, at: body.price, by: context.account)))
    }

    /// `GET /v1/orders?limit&next` → 200 `{data: […], next_cursor}`: what was paid for, the latest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let page = try request.pageQuery(usual: 50)
        let orders = try await orders.paid(by: context.account, after: page.after, limit: page.limit)
        return try .json(OrderList(data: orders.items.compactMap(OrderItem.init), nextCursor: orders.next.text))
    }

    /// `DELETE /v1/orders/{order_code}` → 200, empty, however often; 409 for one that is paid.
    func giveUp(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await orders.giveUp(context.parameters.require("orderCode"), by: context.account)
        return .empty(.ok)
    }
}
