import AppWire
import Authentication
import Hummingbird

/// Lets in only who comes through the gateway, or from another of our processes: a valid `X-Madang-Identity`.
///
/// A caller that names no app is one of our processes, and may use only the paths below `/internal`; a phone cannot reach
/// those, since its paths lie below its app's name.
struct IdentityMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let identity = context.identity else {
            throw Problem(.forbidden, message: "This service is reached through the gateway.")
        }
        guard identity.app != nil || request.uri.path.hasPrefix("/internal/") else {
            throw Problem(.forbidden, message: "This path is for the apps.")
        }
        return try await next(request, context)
    }
}
