package import NIOCore

/// The handler of a WebSocket's events. All methods are called on the socket's event loop.
package protocol WebSocketDelegate: AnyObject {
    /// Called after the handshake; frames may be written. The delegate of a socket that comes from another copy calls
    /// `confirmMove` first, at once or later, or closes the socket.
    func opened(_ socket: WebSocket)
    /// Called with a complete message.
    func received(_ message: WebSocketMessage)
    /// Called with the payload of a pong: that of a ping before it (RFC 6455 §5.5.3), from a peer that keeps to the rule.
    func receivedPong(_ payload: ByteBuffer)
    /// Called when all received messages have been delivered, so that collected output can be flushed.
    func receivedAll()
    /// Prepares the move of the socket to another copy (`WebSocketEndpoint.delegate(resuming:on:)`). No message follows.
    ///
    /// - Parameter leave: To be called once, on the event loop, when all messages have been handled and all frames
    ///   written: with the state, at most 1 MB, or with nil, upon which the socket is closed.
    func suspend(_ leave: @escaping (ByteBuffer?) -> Void)
    /// Called once when the connection has closed, as the last call.
    func closed(_ end: WebSocketEnd)
}

extension WebSocketDelegate {
    package func receivedPong(_ payload: ByteBuffer) {}
    package func receivedAll() {}
    package func suspend(_ leave: @escaping (ByteBuffer?) -> Void) { leave(nil) }
}

/// A complete message (RFC 6455 §5.6); a text is valid UTF-8.
package enum WebSocketMessage: Sendable, Equatable {
    case text(ByteBuffer)
    case binary(ByteBuffer)
}

/// How a WebSocket ended.
package enum WebSocketEnd: Sendable, Equatable {
    /// The peer closed it; the code is nil if its Close frame had none.
    case closedByPeer(CloseCode?, reason: String)
    /// This end closed it.
    case closedHere(CloseCode, reason: String)
    /// Another copy of the service has it.
    case moved
    /// The connection broke without a Close frame.
    case lost
}
