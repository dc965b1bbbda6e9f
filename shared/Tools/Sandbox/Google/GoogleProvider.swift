import Hummingbird
import ServiceKit

/// Sign in with Google (`https://oauth2.googleapis.com`, and `https://www.googleapis.com` for its keys): code exchange,
/// published keys, revocation.
///
/// Source: MOUP contract 7; Google's documentation of OAuth 2.0 and OpenID Connect. Errors are
/// `{error, error_description}`.
struct GoogleProvider: Provider {
    let name = "google"
    private let accounts: GoogleAccounts

    /// Creates the provider with a signing key for the lifetime of the process.
    init() throws {
        accounts = GoogleAccounts(key: try .key(of: "google"))
    }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        GoogleRoutes(accounts: accounts).add(to: group)
    }

    /// `POST /_control/google/codes`: a user signs in with Google in the app.
    func addControls(to group: RouterGroup<SandboxContext>) {
        group.post("codes") { request, context in
            let order = try await SignInOrder.read(request, context)
            let code = accounts.authorize(order.signIn, expired: order.isExpired)
            return try Response.snakeJSON(["authorization_code": code])
        }
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        GoogleError(status, status == .notFound ? "not_found" : "internal_failure", status.reasonPhrase).response
    }
}

/// An error in Google's format, which is that of RFC 6749 §5.2.
struct GoogleError: ProviderError {
    var status: HTTPResponse.Status
    var error: String
    var description: String

    init(_ status: HTTPResponse.Status, _ error: String, _ description: String) {
        (self.status, self.error, self.description) = (status, error, description)
    }

    /// A code or token that is unknown, used, expired, or another client's.
    static let invalidGrant = GoogleError(.badRequest, "invalid_grant", "Bad Request")
    static let invalidClient = GoogleError(.unauthorized, "invalid_client", "The OAuth client was not found.")
    static let invalidToken = GoogleError(.badRequest, "invalid_token", "Token expired or revoked")

    static func unsupportedGrantType(_ type: String) -> GoogleError {
        GoogleError(.badRequest, "unsupported_grant_type", "Invalid grant_type: \(type)")
    }

    static func missing(_ parameter: String) -> GoogleError {
        GoogleError(.badRequest, "invalid_request", "Missing required parameter: \(parameter)")
    }

    var response: Response {
        (try? .snakeJSON(["error": error, "error_description": description], status: status)) ?? .empty(status)
    }
}
