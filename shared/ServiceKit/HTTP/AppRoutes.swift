package import Apps
import Contracts
import HTTPTypes
package import Hummingbird
import Synchronization

/// The operations of one app that a service mounts.
package struct AppRoutes<Catalogue: AppCatalogue> {
    private let catalogue = Catalogue()
    private let anyone: RouterGroup<AppRequestContext>
    private let users: RouterGroup<SignedInContext>
    private let mounted: MountedOperations

    init(_ router: RouterGroup<AppRequestContext>, _ mounted: MountedOperations) {
        anyone = router
        users = router.signedIn
        self.mounted = mounted
    }

    /// Mounts an operation that also accepts callers without a session. One that is for users only needs the other form.
    package func on(
        _ call: KeyPath<Catalogue, Operation>,
        use handler: @escaping @Sendable (Request, AppRequestContext) async throws -> Response
    ) {
        let operation = catalogue[keyPath: call]
        mounted.add(operation, of: Catalogue.app, isForUsers: false)
        anyone.on(RouterPath(operation.path), method: operation.httpMethod, use: operation.validated(handler))
    }

    /// Mounts an operation for signed-in users; other callers receive the app's 401.
    package func on(
        _ call: KeyPath<Catalogue, Operation>,
        use handler: @escaping @Sendable (Request, SignedInContext) async throws -> Response
    ) {
        let operation = catalogue[keyPath: call]
        mounted.add(operation, of: Catalogue.app, isForUsers: true)
        users.on(RouterPath(operation.path), method: operation.httpMethod, use: operation.validated(handler))
    }

    /// Adds a middleware to the operations for signed-in users that are mounted afterwards.
    package func add(middleware: some MiddlewareProtocol<Request, Response, SignedInContext>) -> AppRoutes {
        users.add(middleware: middleware)
        return self
    }
}

/// The operations that a service has mounted. It ends the program, with a sentence that names the operation, at a second
/// handler and at one that does not require what the catalogue says of the caller.
final class MountedOperations: Sendable {
    private let operations = Mutex<[App: Set<Operation>]>([:])

    func add(_ operation: Operation, of app: App, isForUsers: Bool) {
        guard let problem = problem(mounting: operation, of: app, isForUsers: isForUsers) else { return }
        StandardError.write(problem)
        preconditionFailure()
    }

    /// Records an operation.
    ///
    /// - Returns: why it may not be mounted.
    func problem(mounting operation: Operation, of app: App, isForUsers: Bool) -> String? {
        let isNew = operations.withLock { $0[app, default: []].insert(operation).inserted }
        let name = "\(operation.method.rawValue) \(operation.path) of \(app)"
        if !isNew { return "\(name) is mounted twice" }
        guard isForUsers != (operation.access == .user) else { return nil }
        return "\(name) has a handler \(isForUsers ? "for users only" : "for anyone")"
    }
}

extension Operation {
    /// A handler whose responses are validated, if phones repeat the operation.
    fileprivate func validated<Context>(
        _ handler: @escaping @Sendable (Request, Context) async throws -> Response
    ) -> @Sendable (Request, Context) async throws -> Response {
        guard let maxAge else { return handler }
        let sharing = access == .anyone ? "public" : "private"
        let cacheControl = maxAge > 0 ? "\(sharing), max-age=\(maxAge)" : "\(sharing), no-cache"
        return { request, context in
            try await handler(request, context).validated(for: request, cacheControl: cacheControl)
        }
    }

    fileprivate var httpMethod: HTTPRequest.Method {
        switch method {
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }
}
