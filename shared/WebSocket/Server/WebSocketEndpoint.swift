package import HTTPTypes
package import NIOCore

/// What stands behind the address of a WebSocket.
package protocol WebSocketEndpoint: Sendable {
    /// The subprotocols that it speaks, the best first; one is agreed on only if the client offers one.
    var subprotocols: [String] { get }
    var limits: WebSocketLimits { get }

    /// Makes what an accepted socket is for; called on the socket's event loop.
    ///
    /// - Parameter handshake: the request that became the socket.
    func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate
}

/// Whether a handshake may become a socket.
package enum WebSocketDecision: Sendable {
    case accept(any WebSocketEndpoint)
    case refuse(HTTPResponse.Status)
}
