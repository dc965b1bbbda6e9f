package import HTTPTypes
package import NIOCore

/// The server of a WebSocket route.
package protocol WebSocketEndpoint: Sendable {
    /// The supported subprotocols in order of preference; one is selected only if the client offers it.
    var subprotocols: [String] { get }
    var limits: WebSocketLimits { get }

    /// Creates the delegate of an accepted socket; called on the socket's event loop.
    ///
    /// - Parameter handshake: The handshake request.
    func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate
}

/// The decision about a handshake.
package enum WebSocketDecision: Sendable {
    case accept(any WebSocketEndpoint)
    case refuse(HTTPResponse.Status)
}
