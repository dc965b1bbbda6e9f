import Authentication
package import Contracts
import FoundationEssentials
import HTTPTypes
package import WebSocket

/// The address of a WebSocket: where an app connects to, and what answers there.
package struct SocketRoute: Sendable {
    package var app: App
    /// As the app uses it; a query is left to the endpoint.
    package var path: String
    package var endpoint: any WebSocketEndpoint

    package init(_ app: App, _ path: String, _ endpoint: any WebSocketEndpoint) {
        self.app = app
        self.path = path
        self.endpoint = endpoint
    }
}

/// Which handshakes become sockets: like every other call they have to come through the gateway, which names the app.
struct SocketDoor: Sendable {
    let routes: [SocketRoute]
    let secret: InternalSecret

    func decide(_ request: HTTPRequest) -> WebSocketDecision {
        let identity = request.headerFields[.internalIdentity].flatMap {
            InternalIdentity($0, secret: secret, now: Int64(Date.now.timeIntervalSince1970))
        }
        guard let app = identity?.app else { return .refuse(.forbidden) }
        let path = (request.path ?? "").prefix { $0 != "?" }
        guard let route = routes.first(where: { $0.app == app && $0.path == path }) else { return .refuse(.notFound) }
        return .accept(route.endpoint)
    }
}
