import FoundationEssentials
import Hummingbird
import ServiceHost

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
        try .json(Profile(users.token(request.credentials("Bearer")).user))
    }

    private func tokenInfo(_ request: Request, _ context: SandboxContext) throws -> Response {
        let token = try users.token(request.credentials("Bearer"))
        return try .json(
            TokenInfo(
                id: token.user.id,
                expires_in: Int(token.expiresAt.timeIntervalSinceNow),
                app_id: token.appID
            )
        )
    }

    /// A person with a token unlinks themselves; the app unlinks anyone with its admin key.
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
        return try .json(Unlinked(id: id))
    }

    private struct TokenInfo: Encodable {
        var id: Int64
        var expires_in: Int
        var app_id: Int64
    }

    private struct Unlinked: Encodable {
        var id: Int64
    }

    /// What Kakao tells of a person; what was not agreed to is absent.
    private struct Profile: Encodable {
        var id: Int64
        var connected_at: String
        var kakao_account: Account

        struct Account: Encodable {
            var profile_nickname_needs_agreement: Bool
            var profile: Nickname?
            var has_email: Bool
            var email_needs_agreement: Bool
            var is_email_valid: Bool?
            var is_email_verified: Bool?
            var email: String?
        }

        struct Nickname: Encodable {
            var nickname: String
        }

        init(_ user: KakaoUsers.User) {
            let hasEmail = user.email != nil
            id = user.id
            connected_at = user.connectedAt.formatted(.iso8601)
            kakao_account = Account(
                profile_nickname_needs_agreement: user.nickname == nil,
                profile: user.nickname.map { Nickname(nickname: $0) },
                has_email: hasEmail,
                email_needs_agreement: !hasEmail,
                is_email_valid: hasEmail ? true : nil,
                is_email_verified: hasEmail ? true : nil,
                email: user.email
            )
        }
    }
}
