import FoundationEssentials
import Hummingbird
import ServiceKit

/// `GET|POST /v2/user/me`, `GET /v1/user/access_token_info`, `POST /v1/user/unlink`.
struct KakaoRoutes: Sendable {
    let users: KakaoUsers

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("v2/user/me", use: me)
        group.post("v2/user/me", use: me)
        group.get("v1/user/access_token_info", use: tokenInfo)
        group.post("v1/user/unlink", use: unlink)
    }

    private func me(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(Profile(users.token(request.credentials("Bearer")).user))
    }

    private func tokenInfo(_ request: Request, _ context: SandboxContext) throws -> Response {
        let token = try users.token(request.credentials("Bearer"))
        return try .snakeJSON(
            TokenInfo(
                id: token.user.id,
                expiresIn: Int(token.expiresAt.timeIntervalSinceNow),
                appId: token.appID
            )
        )
    }

    /// Unlinks the token's own user, or with the app's admin key any user.
    private func unlink(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let id: Int64
        if let key = request.credentials("KakaoAK"), !key.isEmpty {
            let form = try await request.form(context)
            guard form["target_id_type"] == "user_id", let target = form["target_id"].flatMap({ Int64($0) }) else {
                throw KakaoError.badParameter
            }
            id = target
        } else {
            id = try users.token(request.credentials("Bearer")).user.id
        }
        try users.unlink(id)
        return try .snakeJSON(["id": id])
    }

    private struct TokenInfo: Encodable {
        var id: Int64
        var expiresIn: Int
        var appId: Int64
    }

    /// Kakao's profile of a user; fields without consent are absent.
    private struct Profile: Encodable {
        var id: Int64
        var connectedAt: String
        var kakaoAccount: Account

        struct Account: Encodable {
            var profileNicknameNeedsAgreement: Bool
            var profile: Nickname?
            var hasEmail: Bool
            var emailNeedsAgreement: Bool
            var isEmailValid: Bool?
            var isEmailVerified: Bool?
            var email: String?
        }

        struct Nickname: Encodable {
            var nickname: String
        }

        init(_ user: KakaoUsers.User) {
            let hasEmail = user.email != nil
            id = user.id
            connectedAt = user.connectedAt.formatted(.iso8601)
            kakaoAccount = Account(
                profileNicknameNeedsAgreement: user.nickname == nil,
                profile: user.nickname.map { Nickname(nickname: $0) },
                hasEmail: hasEmail,
                emailNeedsAgreement: !hasEmail,
                isEmailValid: hasEmail ? true : nil,
                isEmailVerified: hasEmail ? true : nil,
                email: user.email
            )
        }
    }
}
