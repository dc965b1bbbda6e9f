import FoundationEssentials
import Hummingbird
import ServiceKit

/// `POST /_control/kakao/tokens`: a user consents to the sign-in with Kakao. `POST /_control/kakao/unlinks`: a user
/// unlinks the app at Kakao, and Kakao sends a webhook to the app's server.
struct KakaoControls: Sendable {
    let users: KakaoUsers

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("tokens", use: makeToken)
        group.post("unlinks", use: unlink)
    }

    private struct TokenRequest: Decodable {
        var id: Int64
        var nickname: String?
        var email: String?
        /// The app that the token is for; Madang's is 1.
        var appID: Int64?
        /// Seconds; 0 and less create an expired token.
        var expiresIn: Int?

        enum CodingKeys: String, CodingKey {
            case id, nickname, email
            case appID = "app_id"
            case expiresIn = "expires_in"
        }
    }

    private func makeToken(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(TokenRequest.self, context)
        let user = KakaoUsers.User(id: body.id, nickname: body.nickname, email: body.email, connectedAt: .now)
        let lifetime = Double(body.expiresIn ?? 21_599)
        let token = KakaoUsers.Token(user: user, appID: body.appID ?? 1, expiresAt: .now + lifetime)
        return try .snakeJSON(["access_token": users.signIn(token)])
    }

    private struct UnlinkRequest: Decodable {
        var id: Int64
        /// The app that the user unlinks; Madang's is 1.
        var appID: Int64?
        /// `UNLINK_FROM_APPS`, `ACCOUNT_DELETE`, `FORCED_ACCOUNT_DELETE`, …
        var referrerType: String?
        var adminKey: String?
        /// The webhook's URL; nil to send none.
        var to: String?

        enum CodingKeys: String, CodingKey {
            case id, to
            case appID = "app_id"
            case referrerType = "referrer_type"
            case adminKey = "admin_key"
        }
    }

    /// The app's admin key in development.
    private static let developmentAdminKey = "madang-development-admin-key"

    /// Responds with the status of the webhook's response; without it if no webhook was sent or answered.
    private func unlink(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(UnlinkRequest.self, context)
        try? users.unlink(body.id)
        var answer: [String: Int] = [:]
        if let to = body.to {
            let cause = body.referrerType ?? "UNLINK_FROM_APPS"
            answer["status"] = await WebhookSender.get(
                "\(to)?app_id=\(body.appID ?? 1)&user_id=\(body.id)&referrer_type=\(cause)",
                authorization: "KakaoAK \(body.adminKey ?? Self.developmentAdminKey)"
            )
        }
        return try .snakeJSON(answer)
    }
}
