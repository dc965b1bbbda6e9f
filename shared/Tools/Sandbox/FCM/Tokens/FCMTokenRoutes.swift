import FoundationEssentials
import Hummingbird

/// `POST /oauth2/token`: exchanges a service account's assertion for an access token (RFC 7523 §2.1). Errors are
/// Google's, `{error, error_description}`.
struct FCMTokenRoutes: Sendable {
    let tokens: FCMAccessTokens

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("oauth2/token", use: token)
    }

    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    private struct TokenAnswer: Encodable {
        var accessToken: String
        var expiresIn = FCMAccessTokens.lifetime
        var tokenType = "Bearer"
    }

    private func token(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let form = try await GoogleForm(request, context)
        let type = try form.required("grant_type")
        guard type == Self.grantType else { throw GoogleError.unsupportedGrantType(type) }
        let project = try FCMAssertion.project(
            of: form.required("assertion"),
            audience: Self.address(asReachedBy: request),
            key: .key(of: FCMProvider.prefix),
            now: Date.now.timeIntervalSince1970
        )
        return try .snakeJSON(TokenAnswer(accessToken: tokens.give(project: project)))
    }

    /// The URL of this endpoint, at the address by which the request reached the sandbox.
    static func address(asReachedBy request: Request) -> String {
        "http://\(request.head.authority ?? "localhost")/\(FCMProvider.prefix)/oauth2/token"
    }
}
