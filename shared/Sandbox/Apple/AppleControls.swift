import AppWire
import Hummingbird
import ServiceHost

/// `POST /_control/apple/tokens`: a person signs in with Apple on the phone.
struct AppleControls: Sendable {
    let people: ApplePeople

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("tokens", use: makeTokens)
    }

    private struct TokenRequest: Decodable {
        var sub: String
        var email: String?
        var nonce: String?
        /// The app's client id.
        var aud: String?
        /// Both the token and the code are past their time.
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
}
