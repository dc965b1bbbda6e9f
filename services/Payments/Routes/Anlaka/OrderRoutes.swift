import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Orders of Anlaka (contract 2.5, calls 35 and 36). Giving up is not in the app's contract.
struct OrderRoutes {
    let orders: Orders

    struct OrderRequest: Decodable {
        var estate: String
        /// Won. Must equal the listing's price.
        var price: Int64?

        enum CodingKeys: String, CodingKey {
            case estate = "estate_id"
            case price = "total_price"
        }
    }

    /// `POST /v1/orders` `{estate_id, total_price?}` → 200 with the order; 404 for an unknown estate, 409 for a
    /// reserved one.
    func place(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(OrderRequest.self, context)
        let listing = try PublicID(parsing: body.estate, else: PaymentsError.listingNotFound)
        return try .json(OrderBody(await orders.place(listing, at: body.price, by: context.account)))
    }

    /// `GET /v1/orders?limit&next` → 200 `{data: […], next_cursor}`: paid orders, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let page = try request.pageQuery(usual: 50)
        let orders = try await orders.paid(by: context.account, after: page.after, limit: page.limit)
        return try .json(OrderList(data: orders.items.compactMap(OrderItem.init), nextCursor: orders.next.text))
    }

    /// `DELETE /v1/orders/{order_code}` → 200, empty; idempotent. 409 for a paid order.
    func giveUp(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await orders.giveUp(context.parameters.require("orderCode"), by: context.account)
        return .empty(.ok)
    }
}
