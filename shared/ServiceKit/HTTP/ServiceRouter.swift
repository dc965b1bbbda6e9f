package import Apps
package import Contracts
package import HTTPTypes
package import Hummingbird
import Synchronization

/// The routes of a service: those of the apps, each under the path that the app uses, and those for other programs, each
/// with the programs that may call it.
///
///     router.app(Anlaka.self).on(\.placeOrder, use: orders.place)
///     router.on(.get, "internal/passengers/:account", from: .auth, use: passengers.show)
package struct ServiceRouter {
    private let router: RouterGroup<AppRequestContext>
    private let mounted = MountedOperations()
    private let routes = InternalRouteTable()

    package init(_ router: RouterGroup<AppRequestContext>) {
        self.router = router
    }

    /// The operations of one app.
    package func app<Catalogue: AppCatalogue>(_ catalogue: Catalogue.Type) -> AppRoutes<Catalogue> {
        AppRoutes(router.app(Catalogue.app), mounted)
    }

    /// Routes of one app that are in no catalogue.
    package func app(_ app: App) -> RouterGroup<AppRequestContext> { router.app(app) }

    /// Mounts a route for other programs; those that are not named receive 403.
    ///
    /// - Parameters:
    ///   - path: Below `internal`.
    ///   - middleware: Runs for accepted callers.
    package func on(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        from callers: ProgramName...,
        through middleware: (any MiddlewareProtocol<Request, Response, AppRequestContext>)? = nil,
        use handler: @escaping @Sendable (Request, AppRequestContext) async throws -> some ResponseGenerator
    ) {
        on(method, path, from: Set(callers), through: middleware, use: handler)
    }

    package func on(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        from callers: Set<ProgramName>,
        through middleware: (any MiddlewareProtocol<Request, Response, AppRequestContext>)? = nil,
        use handler: @escaping @Sendable (Request, AppRequestContext) async throws -> some ResponseGenerator
    ) {
        let group = router.group("").add(middleware: CallerMiddleware(callers: callers))
        if let middleware { group.add(middleware: middleware) }
        group.on(path, method: method, use: handler)
        routes.add(InternalRoute(method: method, path: "\(path)", callers: callers))
    }

    /// The routes for other programs, in the order in which they were mounted.
    package var internalRoutes: [InternalRoute] { routes.all }
}

/// A route for other programs.
package struct InternalRoute: Sendable {
    package var method: HTTPRequest.Method
    package var path: String
    package var callers: Set<ProgramName>
}

private final class InternalRouteTable: Sendable {
    private let routes = Mutex<[InternalRoute]>([])

    var all: [InternalRoute] { routes.withLock { $0 } }

    /// It ends the program at a path that clients could reach.
    func add(_ route: InternalRoute) {
        precondition(route.path.hasPrefix("/internal/"), "\(route.path) is not below /internal")
        routes.withLock { $0.append(route) }
    }
}
