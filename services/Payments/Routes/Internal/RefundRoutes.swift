import Apps
import Hummingbird
import ServiceKit

/// Refunds by operators.
struct RefundRoutes {
    let refunds: Refunds

    struct RefundRequest: Decodable {
        /// In the smallest unit of the currency; the whole rest when absent.
        var amount: Int64?
        /// Shown to the payer.
        var reason: String
        /// Name of the operator.
        var `operator`: String
    }

    struct RefundResponse: Encodable {
        /// The amount still allocated to the order.
        var sold: Int64
        /// The amount to be refunded.
        var due: Int64
        /// The amount refunded.
        var cancelled: Int64
    }

    /// `POST /internal/payments/{imp_uid}/refunds` `{amount?, reason, operator}` → 200 with the payment's balance.
    /// Idempotent with an `Idempotency-Key`.
    func create(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(RefundRequest.self, context)
        guard (1...100).contains(body.reason.count), !body.reason.utf8.contains(0) else {
            throw Problem(.malformed, message: "reason must have 1 to 100 characters.")
        }
        guard (1...100).contains(body.operator.count), !body.operator.utf8.contains(0) else {
            throw Problem(.malformed, message: "operator must have 1 to 100 characters.")
        }
        let outcome = try await refunds.request(
            ImpUID(parsing: context.parameters.require("impUid")),
            body.amount,
            because: body.reason,
            key: request.idempotencyKey,
            by: .operator(body.operator)
        )
        let balance = outcome.payment.balance
        return try .json(RefundResponse(sold: balance.sold, due: balance.due, cancelled: balance.cancelled))
    }
}
