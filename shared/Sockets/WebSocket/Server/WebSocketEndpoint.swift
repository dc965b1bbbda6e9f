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

    /// Creates the delegate of a socket that comes from another copy of the service; called on the socket's event loop.
    ///
    /// - Parameter state: What the delegate of the other copy has passed to `leave`; that copy may be of another version.
    /// - Throws: If the state is not understood. The gateway then tries another copy.
    func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate
}

extension WebSocketEndpoint {
    package func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate {
        throw SocketStateFault()
    }
}

/// A state of a socket that is not understood.
package struct SocketStateFault: Error {
    package init() {}
}

/// The decision about a handshake.
package enum WebSocketDecision: Sendable {
    /// With the name under which another copy of the service finds the endpoint; nil for a socket that cannot move.
    case accept(any WebSocketEndpoint, movesAs: String?)
    /// A socket that comes from another copy, with what finds its endpoint by its name.
    case receive(@Sendable (String) -> (any WebSocketEndpoint)?)
    case refuse(HTTPResponse.Status)
}
