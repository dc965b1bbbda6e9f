import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Payments of Seoul Culture (contract 2, calls 23 and 24, and 4.5). Ordering first is not in the app's contract.
struct PurchaseRoutes {
    let purchases: Purchases

    struct ValidationRequest: Decodable {
        var impUID: String
        var post: String

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
            case post = "post_id"
        }
    }

    struct OrderRequest: Decodable {
        var post: String

        enum CodingKeys: String, CodingKey {
            case post = "post_id"
        }
    }

    struct OrderResponse: Encodable {
        var merchantUID: String
        var post: PublicID
        var productName: String
        /// Won.
        var price: Int64
        var expiresAt: SeSACInstant

        enum CodingKeys: String, CodingKey {
            case productName, price
            case merchantUID = "merchant_uid"
            case post = "post_id"
            case expiresAt = "expires_at"
        }
    }

    /// `POST /v1/payments/prepare` `{post_id}` → 200 with the `merchant_uid` and the price for the payment; 400 for a
    /// post without a price, 410 for an unknown post.
    func order(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(OrderRequest.self, context)
        let post = try PublicID(parsing: body.post, else: PaymentsError.postNotFound)
        let order = try await purchases.order(post, by: context.account)
        return try .json(
            OrderResponse(
                merchantUID: order.code,
                post: order.subject,
                productName: order.name,
                price: order.amount,
                expiresAt: SeSACInstant(order.heldUntil)
            )
        )
    }

    /// `POST /v1/payments/validation` `{imp_uid, post_id}` → 200 with the payment; idempotent. 400 for an unpaid or
    /// invalid payment, 409 for a payment of another user or for another post, 410 for an unknown post.
    func validate(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(ValidationRequest.self, context)
        let impUID = try ImpUID(parsing: body.impUID)
        let post = try PublicID(parsing: body.post, else: PaymentsError.postNotFound)
        return try .json(PurchaseBody(await purchases.validate(impUID, for: post, by: context.account)))
    }

    /// `GET /v1/payments/me` → 200 `{data: […]}`, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(DataBody(data: await purchases.list(of: context.account).map(PurchaseBody.init)))
    }
}

/// A payment (contract 1.2, Payment).
struct PurchaseBody: Encodable {
    private let buyer: PublicID
    private let post: PublicID
    private let merchantUID: String
    private let productName: String
    private let price: Int64
    private let paidAt: SeSACInstant

    enum CodingKeys: String, CodingKey {
        case productName, price, paidAt
        case buyer = "buyer_id"
        case post = "post_id"
        case merchantUID = "merchant_uid"
    }

    init(_ purchase: Purchase) {
        buyer = purchase.buyer
        post = purchase.post
        merchantUID = purchase.maskedCode
        productName = purchase.productName
        price = purchase.price
        paidAt = SeSACInstant(purchase.paidAt)
    }
}
