import FoundationEssentials
import Hummingbird
import ServiceHost

/// `POST /_control/kakao/tokens`: a person allows the sign-in with Kakao.
struct KakaoControls: Sendable {
    let users: KakaoUsers

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("tokens", use: makeToken)
    }

    private struct TokenRequest: Decodable {
        var id: Int64
        var nickname: String?
        var email: String?
        /// The app that the token is for; ours is 1.
        var appID: Int64?
        /// Seconds; 0 and less make a token that has run out.
        var expiresIn: Int?

        enum CodingKeys: String, CodingKey {
            case id, nickname, email
            case appID = "app_id"
            case expiresIn = "expires_in"
        }
    }

    private struct TokenAnswer: Encodable {
        var accessToken: String
    }

    private func makeToken(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(TokenRequest.self, context)
        let user = KakaoUsers.User(id: body.id, nickname: body.nickname, email: body.email, connectedAt: .now)
        let lifetime = Double(body.expiresIn ?? 21_599)
        let token = KakaoUsers.Token(user: user, appID: body.appID ?? 1, expiresAt: .now + lifetime)
        return try .snakeJSON(TokenAnswer(accessToken: users.signIn(token)))
    }
}
