import Hummingbird
import ServiceKit

/// Sign in with Apple (`https://appleid.apple.com`): published keys, code exchange, revocation.
///
/// Source: SeatCatcher contract 7, Anlaka contract 6.4; Apple's REST API as it documents it. Errors are `{error}`.
struct AppleProvider: Provider {
    let name = "apple"
    private let accounts: AppleAccounts

    /// Creates the provider with a signing key for the lifetime of the process.
    init() throws {
        accounts = AppleAccounts(key: try .key(of: "apple"))
    }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        AppleRoutes(accounts: accounts).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        AppleControls(accounts: accounts).add(to: group)
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        AppleError(status: status, error: status == .notFound ? "not_found" : "server_error").response
    }
}

/// An error in Apple's format, which is that of RFC 6749 §5.2.
struct AppleError: ProviderError {
    var status: HTTPResponse.Status = .badRequest
    var error: String

    static let invalidRequest = AppleError(error: "invalid_request")
    /// Apple would not accept the client secret.
    static let invalidClient = AppleError(error: "invalid_client")
    /// A code or token that is unknown, used, expired, or another client's.
    static let invalidGrant = AppleError(error: "invalid_grant")
    static let unsupportedGrantType = AppleError(error: "unsupported_grant_type")

    var response: Response {
        (try? .snakeJSON(["error": error], status: status)) ?? .empty(status)
    }
}
