import Hummingbird
import ServiceKit

/// `GET /auth/keys`, `POST /auth/token`, `POST /auth/revoke`.
struct AppleRoutes: Sendable {
    let accounts: AppleAccounts

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("auth/keys", use: keys)
        group.post("auth/token", use: token)
        group.post("auth/revoke", use: revoke)
    }

    private func keys(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .snakeJSON(["keys": [accounts.key.published]])
    }

    private struct TokenAnswer: Encodable {
        var accessToken: String
        var tokenType = "Bearer"
        var expiresIn = 3600
        var refreshToken: String?
        var idToken: String
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await request.form(context)
        let client = try client(form)
        var answer: TokenAnswer
        switch form["grant_type"] {
        case "authorization_code":
            guard let code = form["code"] else { throw AppleError.invalidRequest }
            let (signIn, refreshToken) = try accounts.exchange(code: code, client: client)
            answer = try self.answer(signIn)
            answer.refreshToken = refreshToken
        case "refresh_token":
            guard let token = form["refresh_token"] else { throw AppleError.invalidRequest }
            answer = try self.answer(accounts.signIn(refreshToken: token, client: client))
        case nil: throw AppleError.invalidRequest
        default: throw AppleError.unsupportedGrantType
        }
        return try .snakeJSON(answer)
    }

    private func answer(_ signIn: SignIn) throws -> TokenAnswer {
        TokenAnswer(accessToken: RandomToken.make(prefix: "a"), idToken: try accounts.identityToken(signIn))
    }

    private func revoke(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await request.form(context)
        let client = try client(form)
        guard let token = form["token"] else { throw AppleError.invalidRequest }
        accounts.revoke(token: token, client: client)
        return .empty(.ok)
    }

    /// The authenticated client of a call.
    private func client(_ form: [String: String]) throws -> String {
        guard let client = form["client_id"], let secret = form["client_secret"] else {
            throw AppleError.invalidRequest
        }
        guard AppleClientSecret.isAcceptable(secret, client: client) else { throw AppleError.invalidClient }
        return client
    }
}
