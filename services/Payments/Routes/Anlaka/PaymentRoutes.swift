import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Payments of Anlaka (contract 2.5, calls 37 and 38).
struct PaymentRoutes {
    let orders: Orders
    let validation: Validation

    struct ValidationRequest: Decodable {
        var impUID: String

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
        }
    }

    struct ValidationResponse: Encodable {
        var id: PublicID
        var order: OrderItem?
        var createdAt: SeSACInstant
        var updatedAt: SeSACInstant

        enum CodingKeys: String, CodingKey {
            case createdAt, updatedAt
            case id = "payment_id"
            case order = "order_item"
        }
    }

    /// `POST /v1/payments/validation` `{imp_uid}` → 200 with the paid order; idempotent. 400 for an unpaid or invalid
    /// payment, 404 for a payment without an order, 409 for a late or second payment, 445 for another user's.
    func validate(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(ValidationRequest.self, context)
        let (order, payment) = try await validation.validate(ImpUID(parsing: body.impUID), by: context.account)
        return try .json(
            ValidationResponse(
                id: payment.publicID,
                order: OrderItem(order),
                createdAt: SeSACInstant(payment.createdAt),
                updatedAt: SeSACInstant(payment.decidedAt ?? payment.createdAt)
            )
        )
    }

    /// `GET /v1/payments/{order_code}` → 200 with the receipt of the payment or of the latest attempt; 404 for an
    /// unknown order or one without a payment, 445 for another user's.
    func receipt(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let order = try await orders.order(context.parameters.require("orderCode"), of: context.account)
        return try .json(ReceiptBody(await validation.payment(of: order)))
    }
}
