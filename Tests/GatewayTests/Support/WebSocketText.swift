/// A WebSocket handshake (RFC 6455 §1.3, with its key).
enum WebSocketText {
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// The response that accepts it.
    static let switching = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n
        """

    static func handshake(_ path: String = "/seatcatcher", headers: String = "") -> String {
        """
        GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(headers)\r\n
        """
    }
}
