import Apps
import Hummingbird
import ServiceKit

/// The controls for payers, PortOne's console and time, below `/_control/payments`.
struct PortOneControls: Sendable {
    let payments: PortOnePayments
    let tokens: PortOneTokens
    let webhooks: PortOneWebhooks

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(use: list)
        group.post(use: pay)
        group.get(":imp_uid", use: payment)
        group.post(":imp_uid", use: change)
        group.post(":imp_uid/webhook", use: sendWebhook)
        group.post("tokens/expire", use: expireTokens)
    }

    /// Creates a payment as if made in the payment window, without a webhook.
    private func pay(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let payment = try await request.json(PortOnePaymentOrder.self, context).create(in: payments)
        return try .snakeJSON(["imp_uid": payment.impUid])
    }

    private func list(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(["payments": Array(payments.payments().reversed().prefix(request.limit()))])
    }

    private func payment(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(known(context))
    }

    /// Changes a payment as if in the console, without a webhook.
    private func change(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let impUid = try known(context).impUid
        let change = try await request.json(PortOnePaymentChange.self, context)
        return try .snakeJSON(payments.change(impUid, change.apply))
    }

    private struct WebhookRequest: Decodable {
        var times: Int?
        var delay: Int?
        var form: Bool?
        /// A status that replaces the actual one.
        var status: String?

        enum CodingKeys: String, CodingKey {
            case times, form, status
            case delay = "delay_ms"
        }
    }

    /// Responds with the statuses of the responses of the merchant's server; null without a response.
    private func sendWebhook(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let payment = try known(context)
        let body = try await request.jsonIfAny(WebhookRequest.self, context)
        let times = body?.times ?? 1
        let delay = body?.delay ?? 0
        try Problem.check(times, "times", in: 1...100)
        try Problem.check(delay, "delay_ms", in: 0...600_000)
        let webhook = PortOneWebhook(payment, status: body?.status)
        let form = body?.form ?? false
        if delay > 0 {
            webhooks.send(webhook, times: times, form: form, after: .milliseconds(delay))
            return try .snakeJSON(["statuses": [Int]()])
        }
        return try .snakeJSON(["statuses": await webhooks.send(webhook, times: times, form: form)])
    }

    private func expireTokens(_ request: Request, _ context: SandboxContext) -> Response {
        tokens.expire()
        return .empty(.noContent)
    }

    private func known(_ context: SandboxContext) throws -> PortOnePayment {
        guard let payment = try? payments.payment(context.parameters.get("imp_uid") ?? "") else {
            throw Problem(.notFound, message: "There is no payment with this imp_uid.")
        }
        return payment
    }
}
