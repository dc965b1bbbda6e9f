import Apps
import Authentication
import Contracts
package import Hummingbird

/// The entry point of every request: verifies the identity, routes by app and enforces the deadline.
///
/// Apps use the same paths for different purposes, so a client's request is routed below its app's name: Anlaka's
/// `POST /v1/users/join` is mounted at `/anlaka/v1/users/join`. A call between Madang programs names no app and keeps
/// its path. A handler that exceeds the deadline is cancelled, and `ProblemMiddleware` responds that the service is
/// unavailable; a response that has begun is not interrupted.
package struct RequestDispatcher<Base: HTTPResponder>: HTTPResponder where Base.Context == AppRequestContext {
    let base: Base
    let keys: InternalKeys
    let deadline: Duration
    let uploadDeadline: Duration
    let bodyLimit: Int

    package func respond(to request: Request, context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = bodyLimit
        context.client = request.headers[.internalClient]
        context.identity = keys.identity(of: request.head)
        let isUpload = request.headers[.contentType]?.lowercased().contains("multipart/") ?? false
        let sorted = sorted(request, app: context.app)
        return try await withCancellation(after: isUpload ? uploadDeadline : deadline) { [context] in
            try await base.respond(to: sorted, context: context)
        }
    }

    private func sorted(_ request: Request, app: App?) -> Request {
        guard let app else { return request }
        var head = request.head
        head.path = "/\(app.rawValue)\(head.path ?? "/")"
        return Request(head: head, body: request.body)
    }
}
