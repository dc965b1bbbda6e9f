import Hummingbird
import ServiceKit

/// `POST /_control/apple/tokens`: a user signs in with Apple in the app. `POST /_control/apple/notices`: a user changes
/// a setting at Apple, and Apple sends a webhook to the app's server.
struct AppleControls: Sendable {
    let accounts: AppleAccounts

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("tokens", use: makeTokens)
        group.post("notices", use: notify)
    }

    private func makeTokens(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let order = try await SignInOrder.read(request, context)
        let code = accounts.authorize(order.signIn, expired: order.isExpired)
        let token = try accounts.identityToken(order.signIn, code: code, expired: order.isExpired)
        return try .snakeJSON(["identity_token": token, "authorization_code": code])
    }

    private struct NoticeRequest: Decodable {
        var sub: String
        /// `consent-revoked`, `account-delete`, `email-disabled`, `email-enabled`.
        var type: String
        var aud: String?
        /// The webhook's URL; nil to send none.
        var to: String?
    }

    private struct NoticeAnswer: Encodable {
        /// The webhook's payload.
        var payload: String
        /// The status of the response; nil if the webhook was not sent, or not answered.
        var status: Int?
    }

    private func notify(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(NoticeRequest.self, context)
        let payload = try accounts.notice(of: body.type, sub: body.sub, aud: body.aud ?? SignIn.developmentAudience)
        var answer = NoticeAnswer(payload: payload)
        if let to = body.to { answer.status = await WebhookSender.post(to, json: #"{"payload":"\#(payload)"}"#) }
        return try .snakeJSON(answer)
    }
}
