/// How a WebSocket moves from one copy of a service to another while its client stays connected to the gateway.
///
/// 1. The gateway states in a handshake that it can move the socket (`field`).
/// 2. A copy that is about to end, or is asked to by an empty frame `pause`, sends a frame `pause` with a random token. It
///    serves the socket as before.
/// 3. The gateway passes on the client's current message, holds what follows, and sends a frame `pause` with the same
///    token back.
/// 4. The copy handles what it has received, sends its answers and then a frame `state`, which is its last.
/// 5. The gateway opens a WebSocket at `path` of another copy, as a call of its own, and sends it the same frame `state`.
/// 6. That copy answers with an empty frame `state`, from which on the socket is its own: the gateway passes its frames to
///    the client, and to it what it has held. If it closes the socket instead, status 1008 is meant for the client;
///    after any other end the gateway tries another copy.
///
/// The opcodes are reserved ones (RFC 6455 §5.2), which a client may not use. The gateway sends masked frames.
package enum SocketMove {
    /// The header field, whose value is `1`.
    package static let field = "x-madang-movable"
    package static let path = "/internal/sockets"
    /// A control frame with a token.
    package static let pause: UInt8 = 0xB
    /// In bytes.
    package static let tokenSize = 8
    /// A frame with what another copy needs to continue a socket.
    package static let state: UInt8 = 0x3
    /// The maximum payload of a frame `state`, in bytes.
    package static let stateSize = 1024 * 1024
    /// The time from a copy's offer in which its socket can move, in seconds; then the copy closes it.
    package static let time: Int64 = 20
}
