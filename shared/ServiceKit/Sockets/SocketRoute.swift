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
}

/// Decides about WebSocket handshakes. Like other requests they must carry an identity from the gateway, which names
/// the app.
struct SocketRouter: Sendable {
    let routes: [SocketRoute]
    let keys: InternalKeys

    func decide(_ request: HTTPRequest) -> WebSocketDecision {
        guard let app = keys.identity(of: request)?.app else { return .refuse(.forbidden) }
        let path = (request.path ?? "").prefix { $0 != "?" }
        guard let route = routes.first(where: { $0.app == app && $0.path == path }) else { return .refuse(.notFound) }
        return .accept(route.endpoint)
    }
}
