package import Apps
import Authentication
import Contracts
import HTTPTypes
package import Sockets

/// A WebSocket route: the app's operation and the endpoint that serves it.
package struct SocketRoute: Sendable {
    let app: App
    /// The path as the app uses it; the endpoint parses the query.
    let path: String
    let endpoint: any WebSocketEndpoint

    package init<Catalogue: AppCatalogue>(_ call: KeyPath<Catalogue, Operation>, _ endpoint: any WebSocketEndpoint) {
        app = Catalogue.app
        path = Catalogue()[keyPath: call].path
        self.endpoint = endpoint
    }

    /// Names the route for all copies of the service.
    var name: String { "\(app.rawValue) \(path)" }
}

/// Decides about WebSocket handshakes. Like other requests they must carry an identity from the gateway, which names
/// the app; or no app, if a socket moves here from another copy of the service (`SocketMove`).
struct SocketRouter: Sendable {
    let routes: [SocketRoute]
    let keys: InternalKeys

    func decide(_ request: HTTPRequest) -> WebSocketDecision {
        guard let identity = keys.identity(of: request), identity.caller == .gateway else { return .refuse(.forbidden) }
        let path = (request.path ?? "").prefix { $0 != "?" }
        guard let app = identity.app else {
            guard path == SocketMove.path else { return .refuse(.forbidden) }
            return .receive { name in routes.first { $0.name == name }?.endpoint }
        }
        guard let route = routes.first(where: { $0.app == app && $0.path == path }) else { return .refuse(.notFound) }
        let isMovable = request.headerFields[values: .socketMove] == ["1"]
        return .accept(route.endpoint, movesAs: isMovable ? route.name : nil)
    }
}
