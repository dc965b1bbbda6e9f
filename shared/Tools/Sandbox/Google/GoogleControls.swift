import Apps
import Hummingbird
import ServiceKit

/// `POST /_control/google/codes`: a user signs in with Google in the app.
struct GoogleControls: Sendable {
    let people: GooglePeople

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("codes", use: makeCode)
    }

    private struct CodeRequest: Decodable {
        var sub: String
        var email: String?
        var name: String?
        /// The app's client id.
        var aud: String?
        /// Whether the code is expired.
        var expired: Bool?
    }

    private struct CodeAnswer: Encodable {
        var authorizationCode: String
    }

    /// The audience that every app accepts in development.
    private static let developmentAudience = "madang.dev"

    private func makeCode(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await request.json(CodeRequest.self, context)
        guard !body.sub.isEmpty else { throw Problem(.invalid, message: "sub must not be empty.") }
        let signIn = GooglePeople.SignIn(
            sub: body.sub,
            aud: body.aud ?? Self.developmentAudience,
            email: body.email,
            name: body.name
        )
        return try .snakeJSON(
            CodeAnswer(authorizationCode: people.authorize(signIn, expired: body.expired ?? false))
        )
    }
}
