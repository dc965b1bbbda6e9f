/// Why a WebSocket could not be opened.
package enum WebSocketClientError: Error, Sendable, Equatable {
    /// Not of the form `ws://host[:port][/path][?query]`.
    case invalidURL(String)
    /// The server answered with this status instead of 101.
    case refused(status: Int)
    /// The server's answer is not a handshake (RFC 6455 §4.1).
    case invalidAnswer
    /// The connection ended before the answer.
    case closed
}
