import AppWire
import Authentication
import Contracts
import FoundationEssentials
package import Hummingbird

/// What every request passes first: it learns who calls, sorts the request by app, and bounds its time.
///
/// Apps use the same paths for different things, so a request on behalf of a phone is routed below its app's name:
/// Anlaka's `POST /v1/users/join` is found at `/anlaka/v1/users/join`. A call between our own processes names no app and
/// keeps its path. A handler that takes longer than the deadline is cancelled, and answered as unavailable by
/// `ProblemMiddleware`; no answer is cut short.
package struct FrontDoor<Base: HTTPResponder>: HTTPResponder where Base.Context == AppRequestContext {
    let base: Base
    let secret: InternalSecret
    let deadline: Duration
    let uploadDeadline: Duration
    let bodyLimit: Int

    package func respond(to request: Request, context: AppRequestContext) async throws -> Response {
        var context = context
        context.bodyLimit = bodyLimit
        context.client = request.headers[.internalClient]
        context.identity = request.headers[.internalIdentity].flatMap {
            InternalIdentity($0, secret: secret, now: Int64(Date.now.timeIntervalSince1970))
        }
        let isUpload = request.headers[.contentType]?.lowercased().contains("multipart/") ?? false
        return try await respond(
            to: sorted(request, app: context.app),
            within: isUpload ? uploadDeadline : deadline,
            context: context
        )
    }

    private func sorted(_ request: Request, app: App?) -> Request {
        guard let app else { return request }
        var head = request.head
        head.path = "/\(app.rawValue)\(head.path ?? "/")"
        return Request(head: head, body: request.body)
    }

    private func respond(
        to request: Request,
        within deadline: Duration,
        context: AppRequestContext
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await base.respond(to: request, context: context) }
            group.addTask {
                try? await Task.sleep(for: deadline)
                return nil
            }
            while let first = try await group.next() {
                group.cancelAll()
                if let response = first { return response }
            }
            throw CancellationError()
        }
    }
}
