import AppWire
package import Authentication
import FoundationEssentials
package import Hummingbird

/// Lets in only who comes through the gateway, or from another service: a valid `X-Madang-Identity` is required.
///
/// A call on behalf of a phone names its app, a call between our own processes names none: the first may use every path
/// but those below `/internal`, the second only those.
package struct IdentityMiddleware: RouterMiddleware {
    package typealias Context = AppRequestContext

    private let secret: InternalSecret

    package init(secret: InternalSecret) {
        self.secret = secret
    }

    package func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        let now = Int64(Date.now.timeIntervalSince1970)
        guard let value = request.headers[.internalIdentity],
            let identity = InternalIdentity(value, secret: secret, now: now)
        else { throw Problem(.forbidden, message: "This service is reached through the gateway.") }
        guard (identity.app == nil) == request.uri.path.hasPrefix("/internal/") else {
            throw Problem(.forbidden, message: "This path is not for this caller.")
        }
        var context = context
        context.identity = identity
        context.client = request.headers[.internalClient]
        return try await next(request, context)
    }
}
