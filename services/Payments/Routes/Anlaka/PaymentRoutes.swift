import AppWire
import Hummingbird
import ServiceHost

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
        /// 24 hexadecimal digits.
        var id: String
        var order: OrderItem?
        var createdAt: SeSACInstant
        var updatedAt: SeSACInstant

        enum CodingKeys: String, CodingKey {
            case createdAt, updatedAt
            case id = "payment_id"
            case order = "order_item"
        }
    }

    /// `POST /v1/payments/validation` `{imp_uid}` → 200 with what was paid for, the same for who asks again; 400 for what is not
    /// paid, or wrongly, 404 for a payment of no order, 409 for one that came too late or twice, 445 for another's.
    func validate(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(ValidationRequest.self, context)
        let (order, payment) = try await validation.validate(body.impUID, by: context.account)
        return try .json(
            ValidationResponse(
                id: payment.publicID,
                order: OrderItem(order),
                createdAt: SeSACInstant(payment.createdAt),
                updatedAt: SeSACInstant(payment.decidedAt ?? payment.createdAt)
            )
        )
    }

    /// `GET /v1/payments/{order_code}` → 200 with the receipt of the payment, or of the latest try; 404 for no order, and for
    /// one without a payment; 445 for another's.
    func receipt(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let order = try await orders.order(context.parameters.require("orderCode"), of: context.account)
        return try .json(ReceiptBody(await validation.payment(of: order)))
    }
}
