import Hummingbird
import ServiceKit

/// `POST /token`, `GET /oauth2/v3/certs`, `POST /revoke`.
struct GoogleRoutes: Sendable {
    let accounts: GoogleAccounts

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("token", use: token)
        group.get("oauth2/v3/certs", use: keys)
        group.post("revoke", use: revoke)
    }

    private func keys(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(["keys": [accounts.key.published]])
    }

    private struct TokenAnswer: Encodable {
        var accessToken: String
        var expiresIn = Int(GoogleAccounts.tokenLifetime)
        var refreshToken: String?
        var scope =
            "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile"
        var tokenType = "Bearer"
        var idToken: String
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await GoogleForm(request, context)
        let type = try form.required("grant_type")
        guard type == "authorization_code" else { throw GoogleError.unsupportedGrantType(type) }
        let client = try form.required("client_id")
        guard form.has("client_secret") else { throw GoogleError.invalidClient }
        let exchange = try accounts.exchange(code: form.required("code"), client: client)
        return try .snakeJSON(
            TokenAnswer(
                accessToken: exchange.accessToken,
                refreshToken: exchange.refreshToken,
                idToken: accounts.idToken(exchange.signIn)
            )
        )
    }

    private func revoke(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await GoogleForm(request, context)
        try accounts.revoke(token: form.required("token"))
        return try .snakeJSON([String: String]())
    }
}
