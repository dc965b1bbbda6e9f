import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Refunds by operators.
struct RefundRoutes {
    let refunds: Refunds

    /// `POST /internal/payments/{imp_uid}/refunds` `{amount?, reason, operator}` → 200 with the payment's balance.
    /// Idempotent with an `Idempotency-Key`.
    func create(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(OperatorsAPI.Refund.self, context)
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
        return try .json(OperatorsAPI.Refund.Answer(sold: balance.sold, due: balance.due, cancelled: balance.cancelled))
    }
}
