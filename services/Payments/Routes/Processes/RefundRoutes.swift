import AppWire
import Hummingbird
import ServiceHost

/// What operators give back.
struct RefundRoutes {
    let refunds: Refunds

    struct RefundRequest: Decodable {
        /// In the smallest unit of the currency; all that is left when it is not given.
        var amount: Int64?
        /// What the payer is told.
        var reason: String
        /// Who does it.
        var `operator`: String
    }

    struct RefundResponse: Encodable {
        /// What is left that has paid for the order.
        var sold: Int64
        /// What is still to go back.
        var due: Int64
        /// What has gone back.
        var cancelled: Int64
    }

    /// `POST /internal/payments/{imp_uid}/refunds` `{amount?, reason, operator}` → 200 with where the money is. Under an
    /// `Idempotency-Key` it is made once.
    func create(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(RefundRequest.self, context)
        guard (1...100).contains(body.reason.count), !body.reason.utf8.contains(0) else {
            throw Problem(.malformed, message: "reason must have 1 to 100 characters.")
        }
        guard (1...100).contains(body.operator.count), !body.operator.utf8.contains(0) else {
            throw Problem(.malformed, message: "operator must have 1 to 100 characters.")
        }
        let outcome = try await refunds.request(
            context.parameters.require("impUid"),
            body.amount,
            because: body.reason,
            key: request.idempotencyKey,
            by: .operator(body.operator)
        )
        let balance = outcome.payment.balance
        return try .json(RefundResponse(sold: balance.sold, due: balance.due, cancelled: balance.cancelled))
    }
}
