package import NIOCore

/// The handler of a WebSocket's events. All methods are called on the socket's event loop.
package protocol WebSocketDelegate: AnyObject {
    /// Called after the handshake; frames may be written.
    func opened(_ socket: WebSocket)
    /// Called with a complete message.
    func received(_ message: WebSocketMessage)
    /// Called when all received messages have been delivered, so that collected output can be flushed.
    func receivedAll()
    /// Called once when the connection has closed, as the last call.
    func closed(_ end: WebSocketEnd)
}

extension WebSocketDelegate {
    package func receivedAll() {}
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
    /// The connection broke without a Close frame.
    case lost
}
