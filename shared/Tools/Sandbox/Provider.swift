import Hummingbird
import ServiceLifecycle

/// An external system that the sandbox emulates.
protocol Provider: Sendable {
    /// The prefix of its paths, and its name in `/_control`.
    var name: String { get }

    /// Adds the provider's own API, as documented.
    func addRoutes(to group: RouterGroup<SandboxContext>)

    /// The path of its controls below `/_control`: its name by default, directly below `/_control` if empty.
    var controls: String { get }

    /// The maximum size of a request, in bytes; recorded calls omit bodies above a megabyte.
    var bodyLimit: Int { get }

    /// Adds the controls for actions of users there, below `/_control/CONTROLS`.
    func addControls(to group: RouterGroup<SandboxContext>)

    /// Background services of the provider; none by default.
    var services: [any Service] { get }

    /// The provider's error response to a failed call, in its own format.
    ///
    /// - Parameter path: The called path, without the provider's prefix.
    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response

    /// The response for paths without a route: an error by default. Providers whose paths begin with a parameter, which
    /// routers cannot distinguish, override it.
    func respondToUnknownPath(_ request: Request) throws -> Response
}

/// An error that a provider responds with, in its own format.
protocol ProviderError: HTTPResponseError {
    var response: Response { get }
}

extension ProviderError {
    func response(from request: Request, context: some RequestContext) throws -> Response { response }
}

extension Provider {
    var controls: String { name }
    var services: [any Service] { [] }

    func respondToUnknownPath(_ request: Request) throws -> Response { refusal(.notFound, at: path(of: request)) }
    var bodyLimit: Int { 1 << 20 }

    /// The path of a request without the provider's prefix.
    func path(of request: Request) -> String {
        String(request.uri.path.dropFirst(name.count + 1))
    }
}
