/// The protocol by which the gateway moves a WebSocket from one copy of a service to another, while the client's connection
/// stays open.
///
/// The gateway states in the handshake that it can do so, with the header `header`. A copy that is about to end then sends,
/// instead of a Close frame, frames with opcodes that RFC 6455 §5.2 reserves; they never leave the connection between
/// gateway and service:
///
/// 1. The copy sends `request` with a random payload of `nonceSize` bytes, and continues to serve the socket.
/// 2. The gateway passes the client's current message to its end, holds what follows, and sends `request` with the same
///    payload back.
/// 3. The copy handles everything that it has received, sends `ticket` with the state of the socket as its last frame, and
///    closes the connection without a Close frame. The payload may be longer than a control frame's: up to `ticketLimit`
///    bytes.
/// 4. The gateway opens a WebSocket to another copy at `path`, signed as a call of its own, and sends `ticket` with the same
///    payload.
/// 5. That copy restores the state and sends `ticket` without a payload, followed by the service's next frames; or it
///    sends a Close frame, of which status 1008 is final and passed to the client, and others mean that it cannot take the
///    socket.
/// 6. The gateway passes on what it has held.
///
/// If no copy takes the socket in time, the client is sent a Close frame with status 1012, upon which clients connect again.
package enum SocketMove {
    package static let path = "/internal/sockets"
    package static let header = "x-madang-movable"
    /// Opcodes.
    package static let request: UInt8 = 0xB
    package static let ticket: UInt8 = 0xC
    package static let nonceSize = 8
    /// Bytes.
    package static let ticketLimit = 1 << 20
}
