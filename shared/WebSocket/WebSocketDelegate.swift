package import NIOCore

/// What a WebSocket is for. Everything here is called on the socket's event loop.
package protocol WebSocketDelegate: AnyObject {
    /// The handshake is done; frames may be written.
    func opened(_ socket: WebSocket)
    /// A whole message has come.
    func received(_ message: WebSocketMessage)
    /// No more comes at the moment, so what was put together may be sent.
    func receivedAll()
    /// The connection is gone, for whatever reason; called once, and nothing after it.
    func closed(_ end: WebSocketEnd)
}

extension WebSocketDelegate {
    package func receivedAll() {}
}

/// A whole message (RFC 6455 §5.6); a text is known to be UTF-8.
package enum WebSocketMessage: Sendable, Equatable {
    case text(ByteBuffer)
    case binary(ByteBuffer)
}

/// How a WebSocket ended.
package enum WebSocketEnd: Sendable, Equatable {
    /// The other end said so; without a code where its Close frame had none.
    case closedByPeer(CloseCode?, reason: String)
    /// This end said so first.
    case closedHere(CloseCode, reason: String)
    /// The connection broke without a Close frame.
    case lost
}
