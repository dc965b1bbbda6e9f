import Apps
import Hummingbird
import ServiceKit

/// `POST /_control/apple/tokens`: a user signs in with Apple in the app. `POST /_control/apple/notices`: a user changes
/// a setting at Apple, and Apple sends a webhook to the app's server.
struct AppleControls: Sendable {
    let people: ApplePeople

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("tokens", use: makeTokens)
        group.post("notices", use: notify)
    }

    private struct TokenRequest: Decodable {
        var sub: String
        var email: String?
        var nonce: String?
        /// The app's client id.
        var aud: String?
        /// Whether the token and the code are expired.
        var expired: Bool?
    }

    private struct TokenAnswer: Encodable {
        var identityToken: String
        var authorizationCode: String
    }

    /// The audience that every app accepts in development.
    private static let developmentAudience = "madang.dev"

    private func makeTokens(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(TokenRequest.self, context)
        guard !body.sub.isEmpty else { throw Problem(.invalid, message: "sub must not be empty.") }
        let signIn = ApplePeople.SignIn(
            sub: body.sub,
            aud: body.aud ?? Self.developmentAudience,
            email: body.email,
            nonce: body.nonce
        )
        let expired = body.expired ?? false
        let code = people.authorize(signIn, expired: expired)
        return try .snakeJSON(
            TokenAnswer(
                identityToken: people.identityToken(signIn, code: code, expired: expired),
                authorizationCode: code
            )
        )
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
        let payload = try people.notice(of: body.type, sub: body.sub, aud: body.aud ?? Self.developmentAudience)
        var answer = NoticeAnswer(payload: payload)
        if let to = body.to { answer.status = await NoticeSender.post(to, json: #"{"payload":"\#(payload)"}"#) }
        return try .snakeJSON(answer)
    }
}
