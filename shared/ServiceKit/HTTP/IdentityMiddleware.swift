import Apps
import Authentication
import Contracts
import Hummingbird

/// Accepts only requests with a valid `X-Madang-Identity`, which come from the gateway or another Madang program.
///
/// An identity without an app belongs to a program, which may call only paths below `/internal`. A client cannot reach
/// those, because its paths are prefixed with its app's name.
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

/// Accepts only requests of some programs.
struct CallerMiddleware: RouterMiddleware {
    let callers: Set<ProgramName>

    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let caller = context.identity?.caller, callers.contains(caller) else {
            throw Problem(.forbidden, message: "This path is for other programs.")
        }
        return try await next(request, context)
    }
}
