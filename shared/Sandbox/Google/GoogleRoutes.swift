import Hummingbird
import ServiceHost

/// `POST /token`, `GET /oauth2/v3/certs`, `POST /revoke`.
struct GoogleRoutes: Sendable {
    let people: GooglePeople

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("token", use: token)
        group.get("oauth2/v3/certs", use: keys)
        group.post("revoke", use: revoke)
    }

    private struct KeySet: Encodable {
        var keys: [RSASigningKey.Published]
    }

    private func keys(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(KeySet(keys: [people.key.published]))
    }

    private struct TokenAnswer: Encodable {
        var accessToken: String
        var expiresIn = Int(GooglePeople.tokenLifetime)
        var refreshToken: String?
        var scope =
            "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile"
        var tokenType = "Bearer"
        var idToken: String
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await request.form(context)
        let type = try required("grant_type", of: form)
        guard type == "authorization_code" else { throw GoogleError.unsupportedGrantType(type) }
        let client = try required("client_id", of: form)
        guard form["client_secret"]?.isEmpty == false else { throw GoogleError.invalidClient }
        let exchange = try people.exchange(code: required("code", of: form), client: client)
        return try .snakeJSON(
            TokenAnswer(
                accessToken: exchange.accessToken,
                refreshToken: exchange.refreshToken,
                idToken: people.idToken(exchange.signIn)
            )
        )
    }

    private func revoke(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await request.form(context)
        try people.revoke(token: required("token", of: form))
        return try .snakeJSON([String: String]())
    }

    private func required(_ name: String, of form: [String: String]) throws(GoogleError) -> String {
        guard let value = form[name], !value.isEmpty else { throw .missing(name) }
        return value
    }
}
