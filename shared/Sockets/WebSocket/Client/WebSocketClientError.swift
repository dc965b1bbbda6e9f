/// Why a WebSocket could not be opened.
package enum WebSocketClientError: Error, Sendable, Equatable {
    /// The URL does not have the form `ws://host[:port][/path][?query]`.
    case invalidURL(String)
    /// The server responded with this status instead of 101.
    case refused(status: Int)
    /// The server's response is not a valid handshake (RFC 6455 §4.1).
    case invalidAnswer
    /// The connection closed before the response.
    case closed
}
